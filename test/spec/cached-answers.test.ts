// Conditions that no client can cause: five minutes, and a count of the work done. The session is the one
// that both transports use, over the engine of the program, with a manual clock.
import { expect, onTestFinished, vi } from "vitest";

import { Bm25Scorer } from "../../src/index/scoring/bm25.ts";
import { tools } from "../../src/tools/registry.ts";
import { countedReads } from "../helpers/counted-reads.ts";
import { age } from "../helpers/indexed-tree.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { openSession, recordingLogger } from "../helpers/rpc.ts";
import { verifies } from "./verifies.ts";

const FILES = {
  "src/tide.ts": "/** Turns the tide at noon. */\nexport function turnTide(): void {}\n",
  "docs/tide.md": "# The tide\n\nThe tide turns at noon.\n",
};
const FIVE_MINUTES_MS = 5 * 60_000;

/** The answers of a session over an engine whose clock the test sets. */
async function indexed(clock: { now: number }): Promise<Project> {
  const project = createProject(FILES, { onDisk: true, answerCache: { clock: () => clock.now } });
  onTestFinished(project.dispose);
  age(project.root);
  await project.engine.index(request());
  return project;
}

verifies(
  ["8/cache-lifetime", "8/ephemeral-items"],
  "an answer with cache_control is cached for five minutes and no longer",
  async () => {
    const clock = { now: 0 };
    const project = await indexed(clock);
    const session = openSession({ tools, engine: () => Promise.resolve(project.engine) });
    const ask = async (): Promise<unknown> => {
      const params = { name: "search_context", arguments: { query: "when does the tide turn" } };
      return (await session.request("tools/call", params)).result;
    };
    const first = await ask();
    expect(first).toMatchObject({ content: [{}, { cache_control: { type: "ephemeral" } }] });
    const reads = countedReads();
    clock.now = FIVE_MINUTES_MS - 1;
    expect(await ask()).toEqual(first);
    expect(reads()).toBe(0);
    clock.now = FIVE_MINUTES_MS;
    expect(await ask()).toEqual(first);
    expect(reads()).toBeGreaterThan(0);
  },
);

verifies(
  "8/repeats-save-latency",
  "a repeated query neither queries the index nor reads a file, and is logged and audited like the first",
  async () => {
    const project = await indexed({ now: 0 });
    const { logger, entries } = recordingLogger();
    const audited: unknown[] = [];
    const session = openSession({
      tools,
      logger,
      engine: () => Promise.resolve(project.engine),
      audit: ({ ms: _ms, request: _request, ...call }) => void audited.push(call),
    });
    const ask = async (input: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const params = { name: "search_context", arguments: input };
      return (await session.request("tools/call", params)).result;
    };
    const search = vi.spyOn(Bm25Scorer.prototype, "begin");
    onTestFinished(() => search.mockRestore());
    const first = await ask({ query: "when does the tide turn" });
    const queries = search.mock.calls.length;
    expect(queries).toBeGreaterThan(0);
    const reads = countedReads();
    // The same in another form of the schema: an alias, a default.
    expect(await ask({ pattern: "when does the tide turn", limit: 10 })).toEqual(first);
    expect(search).toHaveBeenCalledTimes(queries);
    expect(reads()).toBe(0);
    expect(audited).toHaveLength(2);
    expect(audited[1]).toEqual(audited[0]);
    expect(entries.filter(({ message }) => message === "call")).toHaveLength(2);
    await ask({ query: "when does the tide rise" });
    expect(search.mock.calls.length).toBeGreaterThan(queries);
  },
);
