import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { IndexReport } from "../../../src/engine/api/index-report.ts";
import { bundledProgram } from "../../helpers/bundled-program.ts";
import { indexedTree, indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { pictureOf } from "../../helpers/picture.ts";
import { PADDING } from "../../helpers/staged-tree.ts";
import { plant } from "../../helpers/tree.ts";
import { look, problemsOf } from "../fixtures/check-index.ts";

const PROGRAM = bundledProgram(
  fileURLToPath(new URL("../fixtures/index-once.ts", import.meta.url)),
);
const WORDS = ["common", "revoke3", "name150"];
const PAGE = "Some words of no account, in a line that comes again and again.\n".repeat(20);
/** With the padding, large enough that a run goes through every stage. */
const FILES = {
  ...Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [
      `src/file${at}.ts`,
      `export function revoke${at}(name${at}: string) {\n  return common(name${at});\n}\n`,
    ]),
  ),
  ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`pages/${at}.txt`, PAGE])),
  ...PADDING,
};

interface Line {
  readonly stage?: string;
  readonly done?: number;
  readonly total?: number;
  readonly report?: IndexReport;
}

/** A run in a separate process, killed at the first line for which `killAt` returns true. */
async function call(
  indexed: IndexedTree,
  { waitMs = 0, killAt = () => false }: { waitMs?: number; killAt?: (line: Line) => boolean } = {},
): Promise<IndexReport | undefined> {
  const job = {
    dataDirectory: indexed.data,
    namespace: "project",
    sources: indexed.sources,
    rebuild: false,
    waitMs,
  };
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let report: IndexReport | undefined;
  for await (const text of createInterface({ input: child.stdout })) {
    const line: Line = JSON.parse(text);
    report = line.report;
    if (killAt(line)) child.kill("SIGKILL");
  }
  await closed;
  return report;
}

test.each<[string, (line: Line) => boolean]>([
  ["the scan", ({ stage }) => stage === "list"],
  ["the first file", ({ stage, done }) => stage === "words" && done === 0],
  ["the middle of the files", ({ stage, done = 0 }) => stage === "words" && done > 60],
  ["the end of the first stage", ({ stage, done, total }) => stage === "words" && done === total],
  ["the first file that is parsed", ({ stage, done }) => stage === "syntax" && done === 0],
  ["the end", ({ stage, done, total }) => stage === "syntax" && done === total],
])(
  "after a kill at %s the index opens, and the next run completes it",
  async (_, killAt) => {
    const indexed = indexedTree(FILES);
    onTestFinished(indexed.dispose);
    // Kill a first build, then a change.
    for (const common of ["common", "common2"]) {
      await call(indexed, { killAt });
      expect((await look(indexed.data, "project", problemsOf)) ?? []).toEqual([]);
      expect(await indexed.run()).toMatchObject({ outcome: "done" });
      plant(indexed.root, {
        "src/file3.ts": `export const revoke3 = ${common};\n`,
        "new.md": `${common}\n`,
      });
    }
    await indexed.run();
    expect(await look(indexed.data, "project", problemsOf)).toEqual([]);
    const fresh = indexOf(indexed.root);
    onTestFinished(fresh.dispose);
    await fresh.run();
    expect(await pictureOf(indexed, WORDS)).toEqual(await pictureOf(fresh, WORDS));
    const live = await look(indexed.data, "project", async ({ catalog }) => catalog.segments.all());
    const { segments } = new EmbeddedBackend(indexed.data).layout("project");
    expect(readdirSync(segments).toSorted()).toEqual(
      live?.flatMap(({ name, isRow }) => (isRow ? [] : [name])).toSorted(),
    );
  },
  60_000,
);

test("two concurrent processes that may wait both finish, and the index is correct", async () => {
  const indexed = indexedTree(FILES);
  onTestFinished(indexed.dispose);
  const reports = await Promise.all([
    call(indexed, { waitMs: 20_000 }),
    call(indexed, { waitMs: 20_000 }),
  ]);
  expect(reports.map((report) => report?.outcome)).toEqual(["done", "done"]);
  expect(reports.map((report) => report?.added ?? -1).toSorted((a, b) => a - b)).toEqual([0, 205]);
  const fresh = indexOf(indexed.root);
  onTestFinished(fresh.dispose);
  await fresh.run();
  expect(await pictureOf(indexed, WORDS)).toEqual(await pictureOf(fresh, WORDS));
}, 60_000);

test("with two concurrent processes, one that may not wait is busy", async () => {
  const indexed = indexedTree(FILES);
  onTestFinished(indexed.dispose);
  let second: Promise<IndexReport | undefined> | undefined;
  const first = await call(indexed, {
    killAt({ stage, done }) {
      // The first process holds the lock from before its scan until it has closed the catalog.
      if (stage === "words" && done === 0) second = indexed.run();
      return false;
    },
  });
  expect(first).toMatchObject({ outcome: "done", added: 205 });
  expect(["busy", "done"]).toContain((await second)?.outcome);
}, 60_000);
