import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";

import { describe, expect, onTestFinished, test } from "vitest";

import { workerEntry } from "../../../src/base/assets.ts";
import { endThread, startThread } from "../../../src/base/thread.ts";
import {
  detached,
  FileParser,
  type FileResult,
  type FileTask,
} from "../../../src/engine/indexing/file-parser.ts";
import { ParallelParser } from "../../../src/engine/indexing/parallel-parser.ts";
import { packedGrammars } from "../../../src/engine/packed-grammars.ts";

const ROOT = join(import.meta.dirname, "../../../src/parse");
const SOURCES = new Map([[1, { root: ROOT, namespace: "parse" }]]);
const SETUP = { sources: SOURCES, keepsRawBytes: true, hasLowPriority: false };

function tasks(): readonly FileTask[] {
  return (
    readdirSync(ROOT, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      // More than 100 files; with the rules of every language there would be 290.
      .filter(({ parentPath }) => !/languages.(?!javascript|python|go)\w/.test(parentPath))
      .map(({ parentPath, name }) => {
        const file = join(parentPath, name);
        const path = relative(ROOT, file);
        const { size, mtimeMs, ino: inode } = statSync(file);
        return {
          source: 1,
          path,
          pathInSource: path,
          size,
          mtimeMs,
          inode,
          unchangedHash: undefined,
        };
      })
      .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  );
}

interface Parser {
  readonly thread: Worker;
  readonly port: MessagePort;
}

function startParser(): Parser {
  const { port1, port2 } = new MessageChannel();
  const { source, options } = workerEntry("parse-worker");
  const thread = startThread(source, {
    ...options,
    workerData: { port: port2 },
    transferList: [port2],
  });
  onTestFinished(() => endThread(thread));
  return { thread, port: port1 };
}

/** Without the parts that depend on the time and the thread. */
function comparable(result: FileResult): unknown {
  // A message has arrays of bytes where others have buffers.
  const own = structuredClone(detached(result, true));
  if (!("parsed" in own)) return { ...own, indexedMs: 0 };
  const { parsed } = own;
  return { ...parsed, state: { ...parsed.state, indexedMs: 0 }, indexedMs: 0 };
}

async function resultsOf(
  files: readonly FileTask[],
  parsers: readonly Parser[],
  after: (at: number) => unknown = () => undefined,
): Promise<readonly unknown[]> {
  const own = new FileParser(SOURCES, packedGrammars);
  const ports = parsers.map(({ port }) => port);
  const all = new ParallelParser(own, files, ports, SETUP);
  const results: unknown[] = [];
  for (const at of files.keys()) {
    // eslint-disable-next-line no-await-in-loop -- in order
    results.push(comparable(await all.next()));
    // eslint-disable-next-line no-await-in-loop -- in order
    await after(at);
  }
  all.close();
  return results;
}

describe("files parsed in several threads", () => {
  test("have the results of one thread, in the same order", async () => {
    const files = tasks();
    expect(files.length).toBeGreaterThan(100);
    const alone = await resultsOf(files, []);
    expect(await resultsOf(files, [startParser()])).toEqual(alone);
    expect(await resultsOf(files, [startParser(), startParser()])).toEqual(alone);
  });

  test("are parsed by the others when a thread ends", async () => {
    const files = tasks();
    const alone = await resultsOf(files, []);
    const [first, second] = [startParser(), startParser()];
    const results = await resultsOf(files, [first, second], async (at) => {
      if (at === 20) await endThread(first.thread);
      if (at === 60) await endThread(second.thread);
    });
    expect(results).toEqual(alone);
  });

  test("are parsed here when a thread closes its port without a reply", async () => {
    const { port1, port2 } = new MessageChannel();
    port2.once("message", () => port2.close());
    const files = tasks().slice(0, 40);
    const thread = { thread: startParser().thread, port: port1 };
    expect(await resultsOf(files, [thread])).toEqual(await resultsOf(files, []));
  });

  test("that are missing, unchanged or no text have the same results in each thread", async () => {
    const files = tasks().slice(0, 3);
    const [one, two, three] = files;
    if (one === undefined || two === undefined || three === undefined) throw new Error("no files");
    const parser = new FileParser(SOURCES, packedGrammars);
    const first = await parser.parse(one);
    const hash = "parsed" in first ? first.parsed.state.hash : "";
    // The first batch is parsed here; the others have 32 files each.
    const before = Array.from({ length: 32 }, () => two);
    const odd = [
      { ...one, unchangedHash: hash },
      { ...three, pathInSource: "missing.ts" },
    ];
    const results = await resultsOf([...before, ...odd, ...before, ...odd], [startParser()]);
    expect(results.slice(32, 34)).toEqual([
      { isUnchanged: true, indexedMs: 0 },
      { skip: "vanished", indexedMs: 0 },
    ]);
    expect(results.slice(66)).toEqual(results.slice(32, 34));
  });
});
