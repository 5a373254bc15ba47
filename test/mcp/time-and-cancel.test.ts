// Time-out and cancellation of a call and its work. The tools and the engine are real; the tests
// control the timers.
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { FolderReader } from "../../src/sources/folder-reader.ts";
import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { tools } from "../../src/tools/registry.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { openSession, type SessionPeer } from "../helpers/rpc.ts";

// Calls that answer in time stop their timers; the test fires the others.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const LINKS = 40;

/** A chain of functions: each one is used by the next. */
function chain(): Record<string, string> {
  const files: Record<string, string> = { "link0.ts": "export function link0(): void {}\n" };
  for (let at = 1; at < LINKS; at += 1) {
    files[`link${at}.ts`] =
      `import { link${at - 1} } from "./link${at - 1}.ts";\n\nexport function link${at}(): void {\n  link${at - 1}();\n}\n`;
  }
  return files;
}

async function indexed(): Promise<Project> {
  vi.useRealTimers();
  const project = createProject(chain());
  onTestFinished(project.dispose);
  await project.engine.index(request());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return project;
}

const TIME_MS = 30;

/** A session whose calls reach the engine after two thirds of their time. */
function lateSession(project: Project): SessionPeer {
  return openSession({
    tools,
    timeoutMs: TIME_MS,
    engine: async () => {
      const start = performance.now();
      while (performance.now() - start <= TIME_MS) await new Promise(setImmediate);
      return project.engine;
    },
  });
}

test("search tools return a partial answer when the time is up", async () => {
  const { request: ask } = lateSession(await indexed());
  for (const [name, input] of Object.entries({
    search_context: { query: "the link of a chain" },
    search_text: { pattern: "link" },
    find_symbol: { name: "link3" },
  })) {
    // oxlint-disable-next-line no-await-in-loop -- one call at a time
    const { result } = await ask("tools/call", { name, arguments: input });
    expect(JSON.stringify(result)).toMatch(/time ran out/);
    expect(result).not.toHaveProperty("isError");
    expect(JSON.stringify(result)).not.toContain("cache_control");
  }
});

/** Cancels the call at its first `step`. Returns the number of steps when the call has ended. */
async function stepsUntilCancelled(
  watch: (taken: () => void) => void,
  call: { readonly name: string; readonly arguments: object },
): Promise<{ readonly steps: number; readonly sent: readonly unknown[] }> {
  const project = await indexed();
  const { session, sent } = openSession({ tools, engine: () => Promise.resolve(project.engine) });
  let steps = 0;
  const over = Promise.withResolvers<void>();
  watch(() => {
    steps += 1;
    if (steps > 1) return;
    // Like a message that arrives during the work: not before the next turn of the event loop.
    setImmediate(() => {
      const params = { requestId: 7 };
      void session.receive(
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }),
      );
      over.resolve();
    });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await session.receive(
    JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: call }),
  );
  await over.promise;
  const atCancel = steps;
  // Wait, so that any work that still runs would be counted.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(steps - atCancel).toBeLessThanOrEqual(1);
  return { steps, sent };
}

/** A step takes longer than the interval between two yields. */
function takeLong(): void {
  const start = performance.now();
  while (performance.now() - start < 20);
}

function onEachRead(taken: () => void): void {
  const open = Reflect.get(FolderReader.prototype, "open");
  vi.spyOn(FolderReader.prototype, "open").mockImplementation(function (
    this: FolderReader,
    ...given
  ) {
    taken();
    takeLong();
    return open.apply(this, given);
  });
}

function onEachSymbol(taken: () => void): void {
  const find = Reflect.get(ReferenceGraph.prototype, "referencesTo");
  vi.spyOn(ReferenceGraph.prototype, "referencesTo").mockImplementation(async function (
    this: ReferenceGraph,
    ...given
  ) {
    taken();
    takeLong();
    return find.apply(this, given);
  });
}

test.each([
  ["search_text", { pattern: "link", output: "count" }, onEachRead],
  ["find_references", { symbol: "link0", depth: 5 }, onEachSymbol],
  ["analyze_impact", { target: "link0", depth: 6 }, onEachSymbol],
])("%s stops when it is cancelled during its work, and gets no reply", async (...given) => {
  const [name, input, watch] = given;
  const { steps, sent } = await stepsUntilCancelled(watch, { name, arguments: input });
  expect(steps).toBeLessThan(5);
  expect(sent).toEqual([]);
});
