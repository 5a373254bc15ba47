// The steps of an agent that looks for the lines to change for an issue, fixed so that no model decides anything. A
// policy yields one output of a tool after the other, in the order of its calls.
import type { Engine } from "../../src/engine/api/engine.ts";
import type { Principal } from "../../src/sources/principal.ts";
import { tools } from "../../src/tools/registry.ts";
import type { CorpusPaths } from "../quality/corpus-paths.ts";
import { mentionsInText } from "../quality/reply-text.ts";

/** An issue, and the tools that a policy can call. */
export interface Workbench {
  /** The first line is its title. */
  readonly issue: string;
  readonly paths: CorpusPaths;
  /** Lines of a file of the corpus, 1-based; fewer at its end. */
  readonly readLines: (path: string, start: number, end: number) => string;
  /** `path:line:text` for each line with the text, as ripgrep prints it. */
  readonly grep: (text: string) => string;
  readonly svc: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;
  /** The output of `codegraph explore`; undefined if codegraph is missing. */
  readonly codegraph: ((query: string) => string) | undefined;
}

export type Policy = (bench: Workbench) => AsyncGenerator<string>;

interface Window {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Lines to read around a place. */
const AROUND = 60;
/** Lines to read from a file without a place. */
const HEAD = 250;
const MAX_QUERY = 8000;
const MAX_TERMS = 8;
/** Lines of a text search that the agent sees. */
const MAX_GREP_LINES = 60;

/**
 * Searches for the names in the issue. After each search it reads the file with the most of them, around the densest
 * place. Then it reads the files with the most of the names from their beginning.
 */
async function* grepAndRead(bench: Workbench): AsyncGenerator<string> {
  const seen = new Set<string>();
  const terms = new Map<string, number>();
  for (const term of termsOf(bench.issue).slice(0, MAX_TERMS)) {
    const lines = bench
      .grep(term)
      .split("\n")
      .filter((line) => line !== "");
    yield lines.slice(0, MAX_GREP_LINES).join("\n");
    const byFile = Map.groupBy(lines, (line) => line.slice(0, line.indexOf(":")));
    const files = [...byFile]
      .filter(([path]) => !isSecondary(path))
      .toSorted(([, one], [, other]) => other.length - one.length);
    // A name in few files is more distinctive.
    for (const [path] of files) terms.set(path, (terms.get(path) ?? 0) + 1 / files.length);
    const next = files.find(([path]) => !seen.has(path));
    if (next === undefined) continue;
    const [path, matches] = next;
    seen.add(path);
    const numbers = matches.map((line) => Number(line.slice(path.length + 1).split(":")[0]));
    const center = densest(numbers);
    yield bench.readLines(path, center - 2 * AROUND, center + 2 * AROUND);
  }
  const best = [...terms].toSorted(([, one], [, other]) => other - one);
  yield* readWhole(
    bench,
    best.map(([path]) => path),
  );
}

/** Reads files from their beginning to their end. */
async function* readWhole(bench: Workbench, paths: readonly string[]): AsyncGenerator<string> {
  for (const path of new Set(paths)) {
    let [start, text] = [1, ""];
    do {
      text = bench.readLines(path, start, start + HEAD - 1);
      start += HEAD;
      yield text;
    } while (text.split("\n").length > HEAD);
  }
}

/** Tests and documentation: a fix of the code is not in them. */
function isSecondary(path: string): boolean {
  return (
    /(?:^|\/)(?:tests?|testing|docs?|doc)\//.test(path) ||
    /(?:^|\/)test_|\.(?:md|rst|txt)$/.test(path)
  );
}

/**
 * Searches for the title and then for the whole issue. Then it reads around the results, the best first, and finally
 * the whole files.
 */
async function* searchAndRead(
  bench: Workbench,
  search: (query: string) => Promise<string> | string,
): AsyncGenerator<string> {
  const title = bench.issue.split("\n")[0] ?? "";
  const whole = bench.issue.slice(0, MAX_QUERY);
  const windows: Window[] = [];
  for (const query of new Set([title, whole])) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const output = await search(query);
    yield output;
    windows.push(...windowsIn(output, bench.paths));
  }
  yield* readEach(bench, windows);
}

/** Asks for a map of the subject, and reads around the definitions in it. */
async function* mapAndRead(bench: Workbench): AsyncGenerator<string> {
  const title = bench.issue.split("\n")[0] ?? "";
  const map = await bench.svc("map", { query: title, max_tokens: 2000 });
  yield map;
  yield* readEach(bench, windowsInMap(map, bench.paths));
}

async function* readEach(bench: Workbench, windows: readonly Window[]): AsyncGenerator<string> {
  const done: Window[] = [];
  for (const window of windows) {
    const { path, start, end } = window;
    const isKnown = done.some(
      (one) => one.path === path && one.start <= start && one.end >= Math.min(end, start + AROUND),
    );
    if (isKnown) continue;
    done.push(window);
    yield bench.readLines(path, start, end);
  }
  yield* readWhole(
    bench,
    windows.map(({ path }) => path).filter((path) => !isSecondary(path)),
  );
}

export const POLICIES: Readonly<Record<string, Policy>> = {
  "grep and read": grepAndRead,
  svc: (bench) =>
    searchAndRead(bench, (query) => bench.svc("search_context", { query, max_tokens: 4000 })),
  map: mapAndRead,
  codegraph: (bench) => searchAndRead(bench, (query) => bench.codegraph?.(query) ?? ""),
};

/** The names in an issue, in order: code first, then its longer words. */
function termsOf(issue: string): readonly string[] {
  const names = issue.match(/[A-Za-z_][\w.]*(?:_|[a-z](?=[A-Z])|\.(?=[A-Za-z_])|(?=\())\w*/g) ?? [];
  const words = (issue.split("\n")[0] ?? "").match(/[A-Za-z]{6,}/g) ?? [];
  const all = [...names.map((name) => name.split(".").at(-1) ?? name), ...words];
  return [...new Set(all.filter((term) => term.length >= 4))];
}

/** The line number with the most other numbers within `AROUND`. */
function densest(numbers: readonly number[]): number {
  const near = (center: number): number =>
    numbers.filter((one) => Math.abs(one - center) <= AROUND).length;
  return numbers.reduce((best, one) => (near(one) > near(best) ? one : best), numbers[0] ?? 1);
}

function windowsIn(output: string, paths: CorpusPaths): readonly Window[] {
  return mentionsInText(output, paths).map(({ path, start, end = start }) =>
    start === undefined || end === undefined
      ? { path, start: 1, end: HEAD }
      : { path, start: Math.max(1, start - AROUND), end: end + AROUND },
  );
}

/** The definitions of each file in a Markdown map. */
function windowsInMap(map: string, paths: CorpusPaths): readonly Window[] {
  const windows: Window[] = [];
  let path: string | undefined;
  for (const line of map.split("\n")) {
    const file = /^- `([^`]+)`/.exec(line)?.[1];
    if (file !== undefined) path = paths.find(file);
    const lines = /` (\d+)(?:-(\d+))?$/.exec(line);
    if (path === undefined || lines === null) continue;
    const [start, end] = [Number(lines[1]), Number(lines[2] ?? lines[1])];
    windows.push({ path, start: Math.max(1, start - AROUND), end: end + AROUND });
  }
  return windows;
}

/** Calls a tool as a client of MCP does; returns the text of its answer. */
export async function callTool(
  engine: Engine,
  principal: Principal,
  { name, input }: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const texts: string[] = [];
  await tool.call(input, {
    engine: () => Promise.resolve(engine),
    principal,
    signal: new AbortController().signal,
    emit: ({ text }) => void texts.push(text),
    progress: () => {},
  });
  return texts.join("\n");
}
