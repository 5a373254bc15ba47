import { renameSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, onTestFinished, test, vi, type MockInstance } from "vitest";

import type { Engine } from "../../src/engine/api/engine.ts";
import type { Cacheable } from "../../src/engine/api/request.ts";
import { Principal } from "../../src/sources/principal.ts";
import { countedReads } from "../helpers/counted-reads.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { age } from "../helpers/indexed-tree.ts";
import { createProject, request, SEARCH, type Project } from "../helpers/project.ts";
import { plant } from "../helpers/tree.ts";

const FILES = {
  "src/ferry.ts":
    "/** Takes the ferry across. */\nexport function crossOver(tide: number): number {\n  return tide + 1;\n}\n",
  "src/harbour.ts":
    'import { crossOver } from "./ferry.ts";\n\nexport function leaveHarbour(): number {\n  return crossOver(3);\n}\n',
  "test/ferry.test.ts": 'import { crossOver } from "../src/ferry.ts";\n\ncrossOver(2);\n',
  "docs/ferry.md": "# The ferry\n\n`crossOver` takes it across.\n",
};
const TEXT = {
  isRegex: false,
  caseSensitive: false,
  wholeWord: false,
  contextLines: 0,
  output: "matches",
  limit: 50,
} as const;

type Ask = (engine: Engine, caller?: Principal) => Promise<Cacheable<object>>;

/** Every query whose answer can be cached. */
const QUESTIONS: Readonly<Record<string, Ask>> = {
  search: (engine, caller) =>
    engine.search({ query: "who takes the ferry", ...SEARCH, ...request(caller) }),
  searchText: (engine, caller) =>
    engine.searchText({ pattern: "crossOver", ...TEXT, ...request(caller) }),
  findSymbols: (engine, caller) =>
    engine.findSymbols({ name: "crossOver", limit: 20, ...request(caller) }),
  outline: (engine, caller) => engine.outline({ maxTokens: 2000, ...request(caller) }),
  "outline of a file": (engine, caller) =>
    engine.outline({ path: "src/ferry.ts", maxTokens: 2000, ...request(caller) }),
  references: (engine, caller) =>
    engine.references({
      symbol: "crossOver",
      relation: "references",
      depth: 1,
      limit: 50,
      ...request(caller),
    }),
  related: (engine, caller) =>
    engine.related({ target: "src/ferry.ts", limit: 10, ...request(caller) }),
  impact: (engine, caller) => engine.impact({ target: "crossOver", depth: 3, ...request(caller) }),
  read: (engine, caller) =>
    engine.read({ targets: ["crossOver"], maxTokens: 2000, ...request(caller) }),
};

/** An indexed project whose files are old enough that a change gets a new time. */
async function indexed(
  files: Readonly<Record<string, string>> = FILES,
  options: Parameters<typeof createProject>[1] = {},
): Promise<Project> {
  const project = createProject(files, options);
  onTestFinished(project.dispose);
  age(project.root);
  await project.engine.index(request());
  return project;
}

function ferries({ engine }: Project): ReturnType<Engine["search"]> {
  return engine.search({ query: "who takes the ferry", ...SEARCH, ...request() });
}

async function textsOf(project: Project): Promise<string> {
  return (await ferries(project)).passages.map(({ text }) => text).join("\n");
}

let shared: Project;
beforeAll(async () => {
  shared = createProject(FILES);
  age(shared.root);
  await shared.engine.index(request());
}, 30_000);
afterAll(() => shared.dispose());

test.each(Object.entries(QUESTIONS))(
  "%s: a repeat is the same answer and reads no file",
  async (_name, ask) => {
    const first = await ask(shared.engine);
    const reads = countedReads();
    const second = await ask(shared.engine);
    expect(reads()).toBe(0);
    expect(first.isCacheable).toBe(true);
    expect(withoutTime(second)).toEqual(withoutTime(first));
  },
);

function withoutTime(answer: object): Record<string, unknown> {
  return { ...answer, tookMs: 0 };
}

test("a cached answer has its own duration, and the caller may change it", async () => {
  const first = await ferries(shared);
  const clock = aMinuteLaterAtEachReading();
  const second = await ferries(shared);
  clock.mockRestore();
  expect(second.tookMs).not.toBe(first.tookMs);
  Object.assign(second.passages[0] ?? {}, { text: "spoilt" });
  expect((await ferries(shared)).passages).toEqual(first.passages);
});

/** Two quick answers can take the same time to a hundredth of a millisecond, so the second gets a slow clock. */
function aMinuteLaterAtEachReading(): MockInstance<() => number> {
  let now = 0;
  return vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000));
}

test("every query sees the next generation at once", async () => {
  const project = await indexed();
  const answers = async (): Promise<readonly string[]> =>
    Promise.all(
      Object.values(QUESTIONS).map(async (ask) => {
        const { generation: _generation, ...answer }: Record<string, unknown> = withoutTime(
          await ask(project.engine),
        );
        return JSON.stringify(answer);
      }),
    );
  const first = await answers();
  plant(project.root, {
    "src/ferry.ts": `// New.\n\n${FILES["src/ferry.ts"]}`,
    "src/ship.ts": 'import { crossOver } from "./ferry.ts";\ncrossOver(9);\n',
    "test/ship.test.ts": 'import { crossOver } from "../src/ferry.ts";\ncrossOver(10);\n',
  });
  await project.engine.index(request());
  const second = await answers();
  const same = Object.keys(QUESTIONS).filter((_name, at) => second[at] === first[at]);
  expect(same).toEqual([]);
});

test("a file that changed after indexing is read again, also with the same size and time", async () => {
  const project = await indexed({ "a.md": "The ferry sails at one.\n" });
  const path = join(project.root, "a.md");
  const { atime, mtime } = statSync(path);
  expect(await textsOf(project)).toContain("at one");
  plant(project.root, { "a.md": "The ferry sails at two.\n" });
  utimesSync(path, atime, mtime);
  expect(await textsOf(project)).toContain("at two");
  plant(project.root, { "b.md.new": "The ferry sails at six.\n" });
  renameSync(join(project.root, "b.md.new"), path);
  utimesSync(path, atime, mtime);
  expect(await textsOf(project)).toContain("at six");
  rmSync(path);
  expect((await ferries(project)).passages).toEqual([]);
});

test("a file that was missing when the answer was computed is found when it returns", async () => {
  const project = await indexed({ "a.md": "The ferry sails.\n", "b.md": "The ferry rests.\n" });
  renameSync(join(project.root, "a.md"), join(project.root, ".hidden"));
  expect(await textsOf(project)).not.toContain("sails");
  expect((await ferries(project)).isCacheable).toBe(true);
  renameSync(join(project.root, ".hidden"), join(project.root, "a.md"));
  expect(await textsOf(project)).toContain("sails");
});

test("a folder that became a link out of the source invalidates its answers", async () => {
  const project = await indexed({ "docs/a.md": "The ferry sails at one.\n" });
  expect(await textsOf(project)).toContain("at one");
  const outside = `${project.root}-outside`;
  // The files keep their times and inodes.
  renameSync(join(project.root, "docs"), outside);
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  symlinkSync(outside, join(project.root, "docs"));
  expect((await ferries(project)).passages).toEqual([]);
});

test("search_text sees changes of files that its answer only counted", async () => {
  const project = await indexed({ "a.md": "needle\n", "b.md": "needle\nhay\n" });
  const first = await project.engine.searchText({
    pattern: "needle",
    ...TEXT,
    limit: 1,
    ...request(),
  });
  expect(first).toMatchObject({ totalMatches: 2, isCacheable: true });
  expect(first.matches.map(({ path }) => path)).toEqual(["a.md"]);
  plant(project.root, { "b.md": "needle\nneedle\n" });
  expect(
    await project.engine.searchText({ pattern: "needle", ...TEXT, limit: 1, ...request() }),
  ).toMatchObject({ totalMatches: 3 });
});

test("an answer that depends on too many files is not cached", async () => {
  const files = Array.from({ length: 300 }, (_, at) => [`f${at}.md`, "needle\n"] as const);
  const project = await indexed(Object.fromEntries(files));
  const question = { pattern: "needle", ...TEXT, limit: 500, ...request() };
  const answer = await project.engine.searchText(question);
  expect(answer).toMatchObject({ totalFiles: 300, isComplete: true, isCacheable: false });
});

test("answers are cached for five minutes by a monotonic clock", async () => {
  const clock = { now: 1000 };
  const project = await indexed(FILES, { answerCache: { clock: () => clock.now } });
  await ferries(project);
  const reads = countedReads();
  clock.now += 5 * 60_000 - 1;
  await ferries(project);
  expect(reads()).toBe(0);
  // A cache hit does not extend its lifetime.
  clock.now += 1;
  expect((await ferries(project)).isCacheable).toBe(true);
  expect(reads()).toBeGreaterThan(0);
});

test("callers with other rights or another identity get separate answers", async () => {
  const [status] = await shared.engine.status({ ...request(), detail: "summary" });
  const namespaces = [status?.name ?? ""];
  const rights = { id: "one", namespaces, readOnly: false };
  const ask = (more: object): Promise<Cacheable<object>> =>
    shared.engine.search({
      query: "the tide of the ferry",
      ...SEARCH,
      ...request(new Principal({ ...rights, ...more })),
    });
  await ask({});
  const reads = countedReads();
  for (const other of [
    { id: "two" },
    { readOnly: true },
    { namespaces: "all" },
    { namespaces: [...namespaces, "other"] },
  ]) {
    const before = reads();
    // oxlint-disable-next-line no-await-in-loop -- reads are counted per call
    await ask(other);
    expect(reads()).toBeGreaterThan(before);
  }
  const before = reads();
  await ask({});
  expect(reads()).toBe(before);
  await expect(ask({ namespaces: ["other"] })).rejects.toThrow(
    expect.objectContaining({ code: "NAMESPACE_NOT_FOUND" }),
  );
});

test("the order of a request's fields does not matter", async () => {
  await shared.engine.search({ query: "the tide", ...SEARCH, path: "src/**", ...request() });
  const reads = countedReads();
  await shared.engine.search({ ...request(), path: "src/**", ...SEARCH, query: "the tide" });
  expect(reads()).toBe(0);
  await shared.engine.search({ ...request(), path: "src/**", ...SEARCH, query: "the tides" });
  expect(reads()).toBeGreaterThan(0);
});

test("partial answers, reranked answers and errors are not cached", async () => {
  const { engine } = shared;
  const late = { ...request(), deadline: 0 };
  const texts = { pattern: "harbour", ...TEXT };
  const cut = await engine.searchText({ ...texts, ...late });
  expect(cut).toMatchObject({ isPartial: true, isCacheable: false });
  expect(await engine.searchText({ ...texts, ...request() })).toMatchObject({
    isPartial: false,
    isCacheable: true,
  });
  const symbols = { name: "leaveHarbour", limit: 20 };
  expect(await engine.findSymbols({ ...symbols, ...late })).toMatchObject({
    symbols: [],
    isPartial: true,
    isCacheable: false,
    nextCursor: expect.any(String),
  });
  expect((await engine.findSymbols({ ...symbols, ...request() })).symbols).toHaveLength(1);

  let asked = 0;
  const reranker = async (): Promise<readonly number[]> => {
    asked += 1;
    return [];
  };
  const question = { query: "who takes the ferry", ...SEARCH, ...request(), reranker };
  expect((await engine.search(question)).isCacheable).toBe(false);
  await engine.search(question);
  expect(asked).toBe(2);

  const targets = ["crossOver", "nobodyDoes"];
  expect(await engine.read({ targets, maxTokens: 2000, ...request() })).toMatchObject({
    problems: [{ target: "nobodyDoes" }],
    isCacheable: false,
  });
});

test("a missing definition is found when it is added", async () => {
  const project = await indexed();
  const ask = (): Promise<Cacheable<object>> =>
    project.engine.references({
      symbol: "moor",
      relation: "references",
      depth: 1,
      limit: 5,
      ...request(),
    });
  await expect(ask()).rejects.toThrow(expect.objectContaining({ code: "SYMBOL_NOT_FOUND" }));
  plant(project.root, { "src/moor.ts": "export function moor(): void {}\n" });
  await project.engine.index(request());
  expect(await ask()).toMatchObject({ target: { symbol: "moor" } });
});

test("an answer from the git history is cached until the next commit, a comparison never", async () => {
  const repository = gitRepository();
  onTestFinished(repository.dispose);
  for (let at = 0; at < 3; at += 1) {
    repository.commit({ "a.ts": `export const a = ${at};\n`, "b.ts": `export const b = ${at};\n` });
  }
  const project = createProject({}, { workspace: () => repository.path });
  onTestFinished(project.dispose);
  age(repository.path);
  await project.engine.index(request());
  const together = (): ReturnType<Engine["related"]> =>
    project.engine.related({
      target: "a.ts",
      relation: "changed_together",
      limit: 5,
      ...request(),
    });
  const impact = (target: string): ReturnType<Engine["impact"]> =>
    project.engine.impact({ target, depth: 1, ...request() });
  expect(await together()).toMatchObject({
    isCacheable: true,
    groups: [{ items: [{ path: "b.ts", why: [expect.stringContaining("3 of 3")] }] }],
  });
  expect((await impact("a.ts")).isCacheable).toBe(true);
  for (const target of ["working", "staged", "HEAD~1"]) {
    // oxlint-disable-next-line no-await-in-loop -- sequential git commands
    expect((await impact(target)).isCacheable).toBe(false);
  }
  // No indexed file changes.
  repository.git("commit", "-q", "--allow-empty", "-m", "nothing");
  const reads = countedReads();
  await together();
  expect(reads()).toBeGreaterThan(0);
  repository.git("checkout", "-q", "HEAD~2");
  repository.git("checkout", "-q", "main", "--", ".");
  expect(await together()).toMatchObject({
    groups: [{ items: [{ path: "b.ts", why: [expect.stringContaining("2 of 2")] }] }],
  });
});

test("a call cancelled before it starts does no work, and cancelled answers are not cached", async () => {
  const gone = { ...request(), signal: AbortSignal.abort() };
  const { engine } = await indexed();
  const reads = countedReads();
  await expect(engine.outline({ maxTokens: 2000, ...gone })).rejects.toThrow(/cancelled/);
  await expect(engine.findSymbols({ name: "crossOver", limit: 5, ...gone })).rejects.toThrow(
    /cancelled/,
  );
  await expect(engine.search({ query: "the ferry", ...SEARCH, ...gone })).rejects.toThrow(
    /cancelled/,
  );
  await expect(engine.read({ targets: ["src/ferry.ts"], maxTokens: 100, ...gone })).rejects.toThrow(
    /cancelled/,
  );
  expect(reads()).toBe(0);
  expect((await engine.outline({ maxTokens: 2000, ...request() })).isCacheable).toBe(true);
});
