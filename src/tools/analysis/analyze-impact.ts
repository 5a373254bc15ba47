import * as v from "valibot";

import { truncateAt } from "../../base/truncate-at.ts";
import type { ImpactFile, ImpactResult, ImpactUser } from "../../engine/api/impact.ts";
import { maxTokens, namespaces, boundedText, wholeNumber } from "../arguments.ts";
import { characterBudget, type LimitName } from "../budget.ts";
import { namespaceMark } from "../search/namespace-mark.ts";
import { defineTool, type ContentItem } from "../tool.ts";

export const analyzeImpact = defineTool({
  name: "analyze_impact",
  title: "Analyze impact",
  group: "analysis",
  description: "Tell what a change may break: users, tests to run, docs, public entry points.",
  readOnly: true,
  input: {
    target: v.pipe(
      boundedText(4096),
      v.description("Symbol, path, path:10-40, or git change: working, staged, REF, A..B, REF^!"),
    ),
    depth: v.optional(wholeNumber(1, 6), 3),
    max_tokens: maxTokens,
    namespace: namespaces,
  },
  aliases: { symbol: "target", path: "target", name: "target" },
  async run({ max_tokens, ...input }, { engine, principal, signal, deadline, emit }) {
    const opened = await engine();
    const result = await opened.impact({ ...input, principal, signal, deadline });
    for (const item of itemsOf(result, max_tokens)) emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

type SectionName = "users" | "tests" | "likely" | "entryPoints" | "docs";

interface Section {
  readonly name: SectionName;
  readonly title: string;
  readonly lines: readonly string[];
  /** Maximum share of the remaining room; the rest is for later sections. */
  readonly share: number;
  readonly what: string;
}

/** Maximum listed changed files, and definitions of each. */
const MAX_TOUCHED_FILES = 12;
const MAX_NAMES = 5;
/** Maximum users listed per file. */
const MAX_USERS = 4;
/** Room for the note about omitted lines. */
const OMITTED_NOTE_CHARACTERS = 120;
const MAX_LINE_LENGTH = 400;

/** The sections of an answer as texts. */
export function impactTexts(result: ImpactResult, tokens: number): readonly string[] {
  return itemsOf(result, tokens, "--max-tokens").map(({ text }) => text);
}

/** One item per section, most likely first, then a note about omitted lines. */
function itemsOf(
  result: ImpactResult,
  tokens: number,
  limitName: LimitName = "max_tokens",
): readonly ContentItem[] {
  const budget = characterBudget(tokens);
  budget.reserve(OMITTED_NOTE_CHARACTERS);
  const head = truncateAt(headOf(result), Math.max(1, budget.left() - 1));
  budget.tryTake(head);
  const items: ContentItem[] = [];
  const counts = new Map<SectionName, number>();
  const leftOut: string[] = [];
  for (const { name, title, lines, share, what } of sectionsOf(result)) {
    if (lines.length === 0) continue;
    const room = Math.floor(budget.left() * share);
    const shown: string[] = [];
    let used = title.length + 1;
    for (const line of lines) {
      used += line.length + 3;
      if (used > room) break;
      shown.push(`  ${line}`);
    }
    if (shown.length < lines.length) leftOut.push(`${lines.length - shown.length} ${what}`);
    if (shown.length === 0) continue;
    const text = [title, ...shown].join("\n");
    budget.tryTake(text);
    items.push({ text });
    counts.set(name, shown.length);
  }
  const notes = [
    ...(leftOut.length === 0 ? [] : [`Left out by ${limitName}: ${leftOut.join(", ")}.`]),
    ...(result.missing ?? []),
    ...(result.isComplete ? [] : ["Some users were not followed, so there may be more."]),
  ];
  const meta = { "dev.svc/impact": factsOf(result, counts) };
  return [
    { text: head, meta },
    ...items,
    ...(notes.length === 0 ? [] : [{ text: notes.join(" ") }]),
  ];
}

function sectionsOf({
  likelyChanges,
  files,
  tests,
  docs,
  entryPoints,
}: ImpactResult): readonly Section[] {
  return [
    {
      name: "users",
      title: "Users:",
      lines: files.map(fileText),
      share: 0.4,
      what: "files with users",
    },
    {
      name: "tests",
      title: "Tests to run:",
      lines: tests.map((one) => `${one.path}${namespaceMark(one)}  ${one.why.join("; ")}`),
      share: 0.4,
      what: "tests",
    },
    {
      name: "likely",
      title: "Likely to change with it:",
      lines: likelyChanges.map((one) => `${one.path}${namespaceMark(one)}  ${one.why.join("; ")}`),
      share: 0.5,
      what: "files that may change with it",
    },
    {
      name: "entryPoints",
      title: "Entry points:",
      lines: entryPoints.map(
        (one) => `${one.path}:${one.line}${namespaceMark(one)}  ${one.symbol}`,
      ),
      share: 0.4,
      what: "entry points",
    },
    {
      name: "docs",
      title: "Docs:",
      lines: docs.map(
        (one) => `${one.path}:${one.startLine}${namespaceMark(one)}  ${one.why.join("; ")}`,
      ),
      share: 1,
      what: "docs",
    },
  ];
}

/** The resolved target, the changed definitions, and the totals. */
function headOf(result: ImpactResult): string {
  const { description, changedFiles, files, tests, others, depth, hint } = result;
  const users = files.reduce((sum, file) => sum + file.users.length, 0);
  const [first] = changedFiles;
  const lines = [`${description}${first === undefined ? "" : namespaceMark(first)}`];
  const isPlain = changedFiles.length === 1 && changedFiles[0]?.status === "named";
  if (!isPlain) {
    // Files with changed definitions come first.
    const distinctive = changedFiles.toSorted(
      (one, other) => Number(one.symbols.length === 0) - Number(other.symbols.length === 0),
    );
    for (const file of distinctive.slice(0, MAX_TOUCHED_FILES))
      lines.push(`  ${touchedText(file)}`);
    const rest = changedFiles.length - MAX_TOUCHED_FILES;
    if (rest > 0) lines.push(`  … ${count(rest, "file")} more`);
  }
  if (changedFiles.length === 0) lines.push("No indexed file is changed.");
  else {
    lines.push(
      `Affects ${count(users, "user")} in ${count(files.length, "file")}, ${count(tests.length, "test file")} (depth ${depth}).`,
    );
  }
  if (hint !== undefined) lines.push(hint);
  if (others.length > 0) {
    const locations = others
      .slice(0, 5)
      .map((other) => `${other.path}:${other.startLine}${namespaceMark(other)}`);
    lines.push(`Other definitions of the name: ${locations.join(", ")}`);
  }
  return lines.join("\n");
}

function touchedText({
  path,
  status,
  symbols,
  gone,
}: ImpactResult["changedFiles"][number]): string {
  const outer = symbols.filter(
    (name) => !symbols.some((other) => other !== name && name.startsWith(`${other}.`)),
  );
  const names = [...gone.map((name) => `${name} (removed)`), ...outer];
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const list = names.slice(0, MAX_NAMES).join(", ");
  return `${status} ${path}${list === "" ? "" : `: ${list}${rest}`}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** `src/a.ts  open:12 calls connect; close:40 calls open (depth 2, by name)` */
function fileText(file: ImpactFile): string {
  const { path, users, version } = file;
  const shown = users.slice(0, MAX_USERS).map(userText).join("; ");
  const more = users.length > MAX_USERS ? `; ${users.length - MAX_USERS} more` : "";
  const note = version === undefined ? "" : `  (${version})`;
  return truncateAt(`${path}${namespaceMark(file)}${note}  ${shown}${more}`, MAX_LINE_LENGTH);
}

const VERBS: Readonly<Record<ImpactUser["role"], string>> = {
  call: "calls",
  inherit: "inherits",
  type: "names",
  value: "uses",
  import: "imports",
};

function userText({ symbol, line, role, certainty, depth, via }: ImpactUser): string {
  const notes = [
    ...(depth > 1 ? [`depth ${depth}`] : []),
    ...(certainty === "name" ? ["by name"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  return `${symbol === "" ? "" : symbol}:${line} ${VERBS[role]} ${via}${note}`;
}

/** The facts about what the texts show: an answer about a common name has thousands of users. */
function factsOf(
  { likelyChanges, files, tests, entryPoints }: ImpactResult,
  counts: ReadonlyMap<SectionName, number>,
): Record<string, unknown> {
  const shown = <Item>(name: SectionName, items: readonly Item[]): readonly Item[] =>
    items.slice(0, counts.get(name) ?? 0);
  return {
    likely: shown("likely", likelyChanges).map(pathAndScore),
    users: shown("users", files).map((file) => ({ ...pathAndScore(file), depth: file.depth })),
    tests: shown("tests", tests).map(pathAndScore),
    entryPoints: shown("entryPoints", entryPoints),
  };
}

function pathAndScore({
  path,
  score,
  namespace,
}: {
  readonly path: string;
  readonly score: number;
  readonly namespace?: string;
}) {
  return { path, ...(namespace === undefined ? {} : { namespace }), score: rounded(score) };
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
