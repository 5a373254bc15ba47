// Searches in threads, with an index in files as a server has it.

import { appendFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { openEmbeddedBackend } from "../../../src/backend/open-backend.ts";
import { silentLogger } from "../../../src/base/log.ts";
import type { SearchRequest } from "../../../src/engine/api/search.ts";
import { embeddingsFrom } from "../../../src/engine/embeddings.ts";
import { maskedTexts } from "../../../src/engine/files/masked-texts.ts";
import type { OpenIndex } from "../../../src/engine/open-indexes.ts";
import { searchPassages } from "../../../src/engine/passages/search-passages.ts";
import { SearchThreads } from "../../../src/engine/passages/search-threads.ts";
import type { SearchThreadAnswer } from "../../../src/engine/passages/search-worker.ts";
import { createTokenizer } from "../../../src/parse/tokenizer.ts";
import { QueryEmbedder } from "../../../src/search/query-embedder.ts";
import { authorized } from "../../helpers/authorized.ts";
import { age } from "../../helpers/indexed-tree.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const FILES = {
  "src/ferry.ts":
    "/** Takes the ferry across. */\nexport function crossOver(tide: number): number {\n  return tide + 1;\n}\n",
  "src/harbour.ts":
    'import { crossOver } from "./ferry.ts";\n\nexport const leave = (): number => crossOver(3);\n',
  "src/token.ts": `/** The token of the harbour. */\nexport const token = "${SECRET}";\n`,
  "docs/ferry.md": "# The ferry\n\n`crossOver` takes it across, when the tide is high.\n",
};
const QUESTIONS = [
  "who takes the ferry across",
  "crossOver",
  "tide",
  "token of the harbour",
  "zebra",
];

let project: Project;
let backend: ReturnType<typeof openEmbeddedBackend>;
let namespace: OpenIndex["namespace"];
let index: OpenIndex;
const opened: SearchThreads[] = [];
const reranker = async (): Promise<readonly number[]> => [];

beforeAll(async () => {
  project = createProject(FILES, { onDisk: true });
  age(project.root);
  namespace = authorized((await project.engine.index(request())).namespace);
  backend = openEmbeddedBackend({ kind: "embedded", dataDirectory: project.data });
  index = await openIndex();
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((threads) => threads.close()));
});

afterAll(async () => {
  backend.close();
  await project.dispose();
});

async function openIndex(): Promise<OpenIndex> {
  const reader = await backend.index.reader(namespace);
  if (reader === undefined) throw new Error("the project is not indexed");
  const sources = (await (await backend.registry()).state()).sources(namespace);
  return { namespace, reader, sources };
}

function threadsOf(
  choice: ConstructorParameters<typeof SearchThreads>[2] = {},
  { embeddings, logger = silentLogger }: { embeddings?: string; logger?: typeof silentLogger } = {},
): SearchThreads {
  if (backend.description.kind === "memory") throw new Error("no thread can open it");
  const data = { backend: backend.description, embeddings };
  const threads = new SearchThreads(data, logger, { maxThreads: 1, isBusy: () => true, ...choice });
  opened.push(threads);
  return threads;
}

function asked(query: string, rest: Partial<SearchRequest> = {}): SearchRequest {
  return { query, ...SEARCH, ...request(), ...rest };
}

/** The answer of a thread, which has started and opened the index by then. */
async function answered(
  threads: SearchThreads,
  search: SearchRequest,
): Promise<SearchThreadAnswer> {
  let answer: SearchThreadAnswer | undefined;
  await expect
    .poll(async () => (answer = await threads.search(index, search)), { timeout: 15_000 })
    .toBeDefined();
  if (answer === undefined) throw new Error("there is no answer");
  return answer;
}

test("a thread gives the answers of the main thread, with secrets masked, and names the files behind them", async () => {
  const threads = threadsOf();
  const here = {
    ...index,
    texts: maskedTexts(backend.texts.open(namespace, index.sources)),
    tokenizer: createTokenizer(),
    embedder: new QueryEmbedder(embeddingsFrom(undefined)),
  };
  for (const question of QUESTIONS) {
    const search = asked(question, { limit: 2, path: "**/*.{ts,md}" });
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const { found, version, files } = await answered(threads, search);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(found).toEqual(await searchPassages(here, search));
    expect(version).toEqual(index.reader.version);
    const paths = new Set(found.passages.map(({ path }) => path));
    expect([...paths].filter((path) => files?.has(path) !== true)).toEqual([]);
  }
  const { found } = await answered(threads, asked("token of the harbour"));
  expect(found.passages[0]?.path).toBe("src/token.ts");
  expect(JSON.stringify(found)).not.toContain(SECRET);
});

test("a search stays in the main thread while the load is low, without threads, and with a reranker", async () => {
  let isBusy = false;
  const threads = threadsOf({ isBusy: () => isBusy });
  isBusy = true;
  await answered(threads, asked("tide"));
  isBusy = false;
  expect(await threads.search(index, asked("tide"))).toBeUndefined();
  isBusy = true;
  expect(await threads.search(index, asked("tide"))).toBeDefined();
  expect(await threads.search(index, asked("tide", { reranker }))).toBeUndefined();
  expect(await threadsOf({ maxThreads: 0 }).search(index, asked("tide"))).toBeUndefined();
});

test("a thread has at most two searches; the main thread does the others", async () => {
  const threads = threadsOf();
  await answered(threads, asked("tide"));
  const all = await Promise.all(QUESTIONS.map((query) => threads.search(index, asked(query))));
  expect(all.map((answer) => answer !== undefined)).toEqual([true, true, false, false, false]);
});

test("a search that fails in a thread is left to the main thread, which reports the error", async () => {
  const threads = threadsOf();
  await answered(threads, asked("tide"));
  expect(await threads.search(index, asked("tide", { cursor: "nonsense" }))).toBeUndefined();
  expect(await threads.search(index, asked("tide"))).toBeDefined();
});

test("a cancelled search rejects at once, and the thread goes on with others", async () => {
  const threads = threadsOf();
  await answered(threads, asked("tide"));
  const caller = new AbortController();
  const cancelled = threads.search(index, asked("ferry", { signal: caller.signal }));
  caller.abort(new Error("gone"));
  await expect(cancelled).rejects.toThrow("gone");
  await answered(threads, asked("tide"));
});

test("a thread searches at least the version of the main thread, and says which", async () => {
  const threads = threadsOf();
  await answered(threads, asked("tide"));
  appendFileSync(join(project.root, "docs/ferry.md"), "A walrus watches the ferry.\n");
  await project.engine.index(request());
  const before = index.reader.version;
  // The main thread still has a reader of the previous version.
  const { version } = await answered(threads, asked("walrus"));
  expect(version.at).toBeGreaterThan(before.at);
  index = await openIndex();
  const { found } = await answered(threads, asked("walrus"));
  expect(found.passages[0]?.path).toBe("docs/ferry.md");
});

test("a thread without searches ends after 30 seconds, and the next load starts another", async () => {
  const threads = threadsOf();
  await answered(threads, asked("tide"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  expect(await threads.search(index, asked("ferry"))).toBeDefined();
  vi.advanceTimersByTime(29_999);
  expect(await threads.search(index, asked("tide"))).toBeDefined();
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  expect(await threads.search(index, asked("tide"))).toBeUndefined();
  await answered(threads, asked("tide"));
});

test("after a thread has failed, the main thread does all searches, and the log says why", async () => {
  const { logger, entries } = recordingLogger();
  const threads = threadsOf({}, { embeddings: join(project.home, "nothing"), logger });
  expect(await threads.search(index, asked("tide"))).toBeUndefined();
  await expect
    .poll(() => entries.map(({ message }) => message), { timeout: 15_000 })
    .toEqual(["a search thread failed"]);
  expect(await threads.search(index, asked("tide"))).toBeUndefined();
  expect(entries).toHaveLength(1);
});
