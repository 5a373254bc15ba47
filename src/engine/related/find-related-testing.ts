// Finds tests of code: files that import it, use its symbols, or are named after it.

import type { FileTree, IndexReader } from "../../index/port.ts";
import type { RelatedItem } from "../api/related.ts";
import { findMentions } from "./find-related-mentions.ts";
import { isTestName, testsNamedAfter } from "./find-related-names.ts";
import { stemOf } from "../../graph/modules/paths.ts";
import type { RelatedContext, Subject } from "./find-related-subject.ts";

/** Weights of the kinds of evidence, for a file and for a symbol. */
const WEIGHTS = {
  file: { named: 0.5, near: 0.7, imports: 0.7, uses: 0.8 },
  symbol: { named: 0.2, near: 0.3, imports: 0.3, uses: 1.4 },
} as const;
/** Share of the missing evidence that one use of a name with weight 1 adds. */
const ONE_USE_SCORE = 0.6;
/** Lower scores are noise: for example a common name, used in a test of something else. */
const MIN_SCORE = 0.12;
/** Maximum files with uses. A single name may have more. */
const MAX_USERS = 600;
/** Factor of uses of members when no other evidence links the test to the file. */
const UNANCHORED_FACTOR = 0.3;
/** Factor of a file that is not named like a test: a helper or a library for tests. */
const HELPER_FACTOR = 0.7;
/** Folders for tests inside the folder of what they test. */
const TEST_FOLDER = /^(?:__tests?__|tests?|specs?)$/i;
/** With more files, such a folder is for more than one file. */
const MAX_NEIGHBOURS = 12;
/** Maximum used names in `why`. */
const MAX_SHOWN_NAMES = 4;

interface Evidence {
  /** 1-based; 0 when unknown. */
  line: number;
  endLine: number;
  score: number;
  /** 1 without any use, less with each use. */
  missing: number;
  /** True when there is other evidence than names of members. */
  isAnchored: boolean;
  readonly used: string[];
  readonly why: string[];
}

/** Up to `limit` tests, the strongest evidence first. */
export async function testsOf(
  context: RelatedContext,
  subject: Subject,
  limit: number,
): Promise<readonly RelatedItem[]> {
  const { reader } = context;
  const isTest = testCheck(reader);
  const weights = WEIGHTS[subject.isFile ? "file" : "symbol"];
  const all = new Map<string, Evidence>();
  const of = (path: string): Evidence => {
    const known = all.get(path);
    if (known !== undefined) return known;
    const made = {
      line: 0,
      endLine: 0,
      score: 0,
      missing: 1,
      isAnchored: !subject.isFile,
      used: [],
      why: [],
    };
    all.set(path, made);
    return made;
  };
  for (const { path, proximity } of testsNamedAfter(
    await reader.fileTree(),
    subject.path,
    typesOf(subject),
  )) {
    // oxlint-disable-next-line no-await-in-loop -- reads the catalog
    if (!(await isTest(path))) continue;
    const evidence = of(path);
    evidence.score += weights.named + weights.near * proximity;
    evidence.isAnchored = true;
    evidence.why.push("named after it");
  }
  for (const { path, line } of await (await context.graph()).importersOf(subject.path)) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (!(await isTest(path))) continue;
    const evidence = of(path);
    evidence.score += weights.imports;
    evidence.isAnchored = true;
    evidence.line ||= line;
    evidence.why.push(
      subject.isFile
        ? "imports it"
        : `imports ${subject.path.slice(subject.path.lastIndexOf("/") + 1)}`,
    );
  }
  const isUsed = await addUses(context, subject, of);
  // The index has no uses for languages without a grammar: search for the words instead.
  if (!isUsed && subject.names.length > 0) await addMentions(context, subject, of);
  ownTests(await reader.symbolsOf(subject.path), subject, of);
  const items = [...all]
    .flatMap(([path, evidence]) => itemOf(path, evidence, weights.uses))
    .filter(({ score }) => score >= MIN_SCORE);
  if (items.length === 0) return testsNextTo(await reader.fileTree(), subject.path, limit);
  return items
    .toSorted((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
    .slice(0, limit);
}

function itemOf(path: string, evidence: Evidence, weight: number): readonly RelatedItem[] {
  const { line, endLine, missing, isAnchored, used, why } = evidence;
  const names = used.slice(0, MAX_SHOWN_NAMES).join(", ");
  const uses = weight * (1 - missing) * (isAnchored ? 1 : UNANCHORED_FACTOR);
  const more = used.length > MAX_SHOWN_NAMES ? ` and ${used.length - MAX_SHOWN_NAMES} more` : "";
  return [
    {
      path,
      startLine: line,
      endLine: Math.max(line, endLine),
      symbol: "",
      why: used.length === 0 ? why : [...why, `uses ${names}${more}`],
      score: (evidence.score + uses) * (isTestName(path) ? 1 : HELPER_FACTOR),
    },
  ];
}

/**
 * The files of a folder for tests next to a file, if that holds few: nothing else says what they test. Frameworks call code by
 * routes and names of settings that no test imports.
 */
function testsNextTo(tree: FileTree, path: string, limit: number): readonly RelatedItem[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const tests = tree
    .foldersIn(folder.slice(0, -1))
    .filter((name) => TEST_FOLDER.test(name))
    .flatMap((name) => tree.filesIn(folder + name).map((file) => `${folder}${name}/${file}`))
    .filter((test) => isOfKind(test, path));
  if (tests.length > MAX_NEIGHBOURS) return [];
  const why = ["in the folder for tests next to it"];
  return tests
    .slice(0, limit)
    .map((one) => ({ path: one, startLine: 0, endLine: 0, symbol: "", why, score: MIN_SCORE }));
}

/** Whether a file can be a test of another: `a.test.tsx` of `a.ts`, and neither data nor `__init__.py`. */
function isOfKind(test: string, path: string): boolean {
  const extension = path.slice(path.lastIndexOf(".")).slice(0, 3);
  const name = test.slice(test.lastIndexOf("/") + 1);
  return isTestName(test) && !name.startsWith("_") && name.includes(extension);
}

/** True when a file of any role uses one of the names, so the index has uses for this language. */
async function addUses(
  { reader }: RelatedContext,
  subject: Subject,
  of: (path: string) => Evidence,
): Promise<boolean> {
  let isKnown = false;
  let files = 0;
  for (const { name, weight, users, isMember } of subject.names) {
    if (files > 0 && files + users > MAX_USERS) continue;
    files += users;
    // oxlint-disable-next-line no-await-in-loop -- up to twelve names
    for (const { path, role, uses } of await reader.usesOf(name)) {
      isKnown = true;
      if (role !== "tests" || path === subject.path) continue;
      const evidence = of(path);
      evidence.missing *= 1 - ONE_USE_SCORE * weight;
      evidence.isAnchored ||= !isMember;
      evidence.used.push(name);
      // The first use of the most distinctive name, preferably not an import.
      const use = uses.find((one) => one.role !== "import") ?? uses[0];
      if (evidence.used.length === 1 && use !== undefined) evidence.line = use.line;
    }
  }
  return isKnown;
}

async function addMentions(
  context: RelatedContext,
  subject: Subject,
  of: (path: string) => Evidence,
): Promise<void> {
  const mentions = await findMentions(context, {
    without: new Set([subject.path]),
    names: subject.names,
    role: "tests",
  });
  for (const { path, names, best } of mentions) {
    const evidence = of(path);
    for (const { name, weight, isMember } of names) {
      evidence.missing *= 1 - ONE_USE_SCORE * weight;
      evidence.isAnchored ||= !isMember;
      evidence.used.push(name);
    }
    evidence.line = best.line;
  }
}

/** Tests in the file itself, such as `mod tests` in Rust. */
function ownTests(
  symbols: Awaited<ReturnType<IndexReader["symbolsOf"]>>,
  subject: Subject,
  of: (path: string) => Evidence,
): void {
  const own = symbols.find(({ name, kind }) => kind === "module" && /^tests?$/.test(name));
  if (own === undefined || subject.role === "tests") return;
  const evidence = of(subject.path);
  evidence.line = own.startLine;
  evidence.endLine = own.endLine;
  evidence.score += 1;
  evidence.why.push(`\`${own.name}\` in the same file`);
}

function testCheck(reader: Pick<IndexReader, "factsOf">): (path: string) => Promise<boolean> {
  return async (path) => (await reader.factsOf(path))?.role === "tests";
}

/** Types that a test may be named after when the file has another name. */
function typesOf({ path, names }: Subject): readonly string[] {
  const stem = stemOf(path);
  return names
    .map(({ name }) => name)
    .filter((name) => /^[A-Z]/.test(name) && name !== stem)
    .slice(0, 3);
}
