// A small project, its index as files on disk, and all possible queries.
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";

import { afterAll } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { Engine } from "../../../src/engine/api/engine.ts";
import type { IndexReport } from "../../../src/engine/api/index-report.ts";
import { QueryService } from "../../../src/engine/query-service.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { AuthorizedNamespace } from "../../../src/base/authorized-namespace.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { request } from "../../helpers/project.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { queryParts } from "../../helpers/query-parts.ts";
import { runIndex, type LocalRun } from "../../helpers/run-index.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { authorized } from "../../helpers/authorized.ts";

export const NAMESPACE = "project";
const MODULES = 16;

/** Modules that use each other, with tests and pages, and so many words that a segment is a separate file. */
export function projectFiles(): Readonly<Record<string, string>> {
  const files: Record<string, string> = { ...manyWords() };
  for (let at = 0; at < MODULES; at += 1) {
    const next = (at + 1) % MODULES;
    files[`src/part${at}.ts`] =
      `import { turn${next} } from "./part${next}.ts";\n\n/** Turns wheel number ${at}. */\n` +
      `export function turn${at}(force: number): number {\n  return turn${next}(force + ${at});\n}\n\n` +
      `export class Wheel${at} {\n  spin(): number {\n    return turn${at}(2);\n  }\n}\n`;
    files[`docs/wheel${at}.md`] =
      `# Wheel ${at}\n\nThe wheel is turned with \`turn${at}\`, gently.\n`;
  }
  files["test/part3.test.ts"] =
    'import { turn3 } from "../src/part3.ts";\n\ntest("turns", () => expect(turn3(1)).toBe(7));\n';
  return files;
}

type Queries = Readonly<Record<string, (questions: QueryService) => Promise<unknown>>>;

const common = { ...request(LOCAL), namespace: NAMESPACE };
const text = { isRegex: false, caseSensitive: false, wholeWord: false, contextLines: 1 };

/** Each query separately; times of the query are removed. */
const QUESTIONS: Queries = {
  words: (to) => to.search({ ...common, query: "who turns the wheel gently", ...PAGE }),
  name: (to) => to.search({ ...common, query: "Wheel7.spin force", ...PAGE }),
  "rare words": (to) => to.search({ ...common, query: "w1k3 turn5 wheel", ...PAGE }),
  text: (to) =>
    to.searchText({ ...common, ...text, pattern: "turn4(", output: "matches", limit: 50 }),
  "regular expression": (to) =>
    to.searchText({
      ...common,
      ...text,
      pattern: "wheel number 1\\d",
      isRegex: true,
      output: "count",
      limit: 50,
    }),
  "every file": (to) =>
    to.searchText({ ...common, ...text, pattern: "wheel", output: "files", limit: 100 }),
  read: (to) =>
    to.read({ ...common, targets: ["src/part5.ts:2-6", "Wheel3", "gone.ts"], maxTokens: 2000 }),
  symbol: (to) => to.findSymbols({ ...common, name: "turn1", limit: 20 }),
  "nearest symbol": (to) => to.findSymbols({ ...common, name: "Whel9", limit: 5 }),
  users: (to) =>
    to.references({ ...common, symbol: "turn6", relation: "references", depth: 2, limit: 50 }),
  importers: (to) =>
    to.references({ ...common, symbol: "src/part2.ts", relation: "importers", depth: 1, limit: 9 }),
  related: (to) => to.related({ ...common, target: "src/part3.ts", limit: 5 }),
  impact: (to) => to.impact({ ...common, target: "turn8", depth: 2 }),
  map: (to) => to.outline({ ...common, maxTokens: 2000 }),
  outline: (to) => to.outline({ ...common, path: "src/part9.ts", maxTokens: 2000 }),
  changes: (to) => to.changes({ ...common, since: "1970-01-01", limit: 50, waitMs: 0 }),
};
const PAGE = { limit: 10, maxTokens: 2000 } as const;

export interface IndexCopy {
  readonly data: string;
  readonly dispose: () => void;
}

export interface QueriedIndex {
  readonly root: string;
  /** The files of the index, below the data directory, at rest and with pending changes in its log. */
  readonly files: readonly string[];
  /** The bytes of such a file. */
  readonly bytesOf: (name: string) => Buffer;
  readonly copy: (without?: readonly string[]) => IndexCopy;
  readonly run: (data: string, more?: Partial<LocalRun>) => Promise<IndexReport>;
}

export async function runOver(
  root: string,
  dataDirectory: string,
  more: Partial<LocalRun> = {},
): Promise<IndexReport> {
  const job = { dataDirectory, namespace: NAMESPACE, sources: [sourceAt(root)], rebuild: false };
  return runIndex({ ...job, waitMs: 10_000, ...more });
}

/**
 * An index of the project whose last change is only in the log, as a killed writer leaves it. All tests of a file share
 * it, because they change only copies. Call this where tests are declared.
 */
export function sharedIndex(): () => Promise<QueriedIndex> {
  const place = tree({ "project/": "", "data/": "", "kept/": "" });
  afterAll(place.dispose);
  let index: Promise<QueriedIndex> | undefined;
  return () => (index ??= queriedIndex(place.path));
}

/** Makes it below a folder with three empty folders. */
async function queriedIndex(place: string): Promise<QueriedIndex> {
  const [root, data, kept] = [join(place, "project"), join(place, "data"), join(place, "kept")];
  plant(root, projectFiles());
  age(root);
  await runOver(root, data);
  // A reader keeps the log from being written into the catalogue.
  const backend = new EmbeddedBackend(data);
  await backend.reader(authorized(NAMESPACE));
  plant(root, { "src/part4.ts": `${projectFiles()["src/part4.ts"]}\nexport const added4 = 4;\n` });
  age(root);
  await runOver(root, data);
  cpSync(data, kept, { recursive: true });
  backend.close();
  const files = readdirSync(kept, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(kept, join(entry.parentPath, entry.name)))
    .filter((name) => statSync(join(kept, name)).size > 0)
    .toSorted();
  return {
    root,
    files,
    bytesOf: (name) => readFileSync(join(kept, name)),
    copy(without = []) {
      const { path, dispose } = tree();
      cpSync(kept, path, { recursive: true });
      for (const name of without) rmSync(join(path, name), { force: true });
      return { data: path, dispose };
    },
    run: (directory, more) => runOver(root, directory, more),
  };
}

/** Old enough that only the time of a file shows whether it changed. */
function age(root: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) utimesSync(path, 1_700_000_000, 1_700_000_000 + statSync(path).size);
  }
}

/** The answer to each question, or the code of its error. */
export type Answers = Readonly<Record<string, string>>;

const NO_INDEX = "no index yet";

export async function answersOf(
  root: string,
  data: string,
  queries: Queries = QUESTIONS,
): Promise<Answers> {
  const backend = new EmbeddedBackend(data);
  const sources = [sourceAt(root)];
  const namespace = LOCAL.authorize(NAMESPACE, () => true);
  const reader = async (): ReturnType<typeof needed> => needed(backend, namespace);
  const questions = new QueryService(queryParts(reader, sources));
  const answers: Record<string, string> = {};
  try {
    for (const [name, ask] of Object.entries(queries)) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      answers[name] = await answerOf(() => ask(questions));
    }
  } finally {
    await questions.close();
    backend.close();
  }
  return answers;
}

async function needed(backend: EmbeddedBackend, namespace: AuthorizedNamespace) {
  const reader = await backend.reader(namespace);
  if (reader === undefined) throw new SvcError("INDEX_EMPTY", NO_INDEX, { hint: "Build it." });
  return reader;
}

/** The age of the files decides whether svc caches an answer. */
const VOLATILE = new Set([
  "isCacheable",
  "generation",
  "tookMs",
  "nextCursor",
  "cursor",
  "at",
  "since",
  "atMs",
]);

async function answerOf(
  ask: () => ReturnType<Engine["search"]> | Promise<unknown>,
): Promise<string> {
  try {
    return JSON.stringify(await ask(), (key, value: unknown) =>
      VOLATILE.has(key) ? undefined : value,
    );
  } catch (thrown) {
    // Any unexpected failure fails the test.
    if (!(thrown instanceof SvcError) || thrown.hint === undefined) throw thrown;
    return `${thrown.code}: ${thrown.message}`;
  }
}

export function isRefusal(answer: string | undefined): boolean {
  return answer?.startsWith("INDEX_") === true;
}

export function overwrite(data: string, name: string, bytes: Uint8Array): void {
  writeFileSync(join(data, name), bytes);
}
