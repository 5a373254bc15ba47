import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { addMonitor } from "../../../src/sources/registry/monitors.ts";
import type { MonitorKind } from "../../../src/sources/registry/records.ts";
import type { ChangeEvent } from "../../../src/index/change-log/change-event.ts";
import {
  folderVersion,
  newLines,
  problemsOf,
  usesOf,
  type FileVersion,
  type FolderVersion,
} from "../../helpers/change-oracle.ts";
import { indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { openRegistry } from "../../helpers/open-registry.ts";
import { PADDING } from "../../helpers/staged-tree.ts";
import { plant } from "../../helpers/tree.ts";

const BLOCKS = [
  "import { open } from './a.ts';",
  "export function open(path: string): void {\n  log(path);\n}",
  "export function open(path: string, mode: number): void {\n  log(path);\n}",
  "function close(): void {\n  open('x'); // TODO\n}",
  "export class Session {\n  start(): void {\n    open('y');\n  }\n\n  end(): number {\n    return 1;\n  }\n}",
  "export class Session {\n  start(): void {\n    open('y');\n    open('z');\n  }\n}",
  "export class Meeting {\n  start(): void {\n    open('y');\n  }\n}",
  "export const limit = 10;",
  "export const limit =   10;",
  "// TODO: quantum flux\nexport function flux(): string {\n  return 'quantum capacitor';\n}",
  "const later = 1; // FIXME",
] as const;
const PYTHON = [
  "def alpha():\n    if beta():\n        gamma()\n    return 1\n",
  "def alpha():\n    if beta():\n        gamma()\n        return 1\n",
];
const PATHS = [
  "a.ts",
  "b.ts",
  "src/a.ts",
  "src/c.ts",
  "src/deep/d.ts",
  "e.py",
  "notes.md",
] as const;

type Step =
  | { readonly write: string; readonly blocks: readonly number[] }
  | { readonly remove: string }
  | { readonly rename: string; readonly to: string };

const path = fc.constantFrom(...PATHS);
const blocks = fc.array(fc.nat({ max: BLOCKS.length - 1 }), { maxLength: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ write: path, blocks }) },
  { weight: 1, arbitrary: fc.record({ remove: path }) },
  { weight: 2, arbitrary: fc.record({ rename: path, to: path }) },
);

function apply(root: string, change: Step): void {
  if ("write" in change) {
    const { write, blocks: chosen } = change;
    const text = write.endsWith(".py")
      ? (PYTHON[(chosen[0] ?? 0) % 2] ?? "")
      : chosen.map((at) => BLOCKS[at]).join(write.endsWith(".md") ? "\n\n# Part\n\n" : "\n\n");
    plant(root, { [write]: `${text}\n` });
    return;
  }
  const place = join(root, "remove" in change ? change.remove : change.rename);
  if (!existsSync(place)) return;
  if ("remove" in change) rmSync(place);
  else {
    plant(root, { [`${dirname(change.to)}/`]: "" });
    renameSync(place, join(root, change.to));
  }
}

async function changesAfter(indexed: IndexedTree, seq: number): Promise<readonly ChangeEvent[]> {
  const { reader } = await indexed.queryContext();
  return reader.changeLog.after(seq, 10_000, [1, 2, 3, 4]);
}

/** With files so large that a run reads in two passes; another text in each round. */
function ballast(round: number): Readonly<Record<string, string | Uint8Array>> {
  const text = `ballast of round ${round}\n`.repeat(100);
  return { ...PADDING, "ballast/0.txt": `0${text}`, "ballast/1.txt": `1${text}` };
}

function versionOf({ root }: IndexedTree): Promise<FolderVersion> {
  return folderVersion(root, (file) => !(file in PADDING));
}

/** A run that ends at its n-th progress message, like a killed one. */
async function runUntil(indexed: IndexedTree, calls: number): Promise<void> {
  let left = calls;
  const onProgress = (): void => {
    left -= 1;
    if (left < 0) throw new Error("killed");
  };
  await indexed.run({}, { onProgress }).catch((thrown: unknown) => {
    if (!(thrown instanceof Error) || thrown.message !== "killed") throw thrown;
  });
}

const round = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  isLarge: fc.boolean(),
  kills: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
  rebuild: fc.boolean(),
});

test(
  "the change log has the result of comparing full states, once, also when runs are killed between stages",
  { timeout: 180_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
        const indexed = indexedTree({ "a.ts": `${BLOCKS[1]}\n`, "src/c.ts": `${BLOCKS[4]}\n` });
        try {
          await indexed.run();
          const first = await changesAfter(indexed, 0);
          expect(first.map(({ kind, detail }) => [kind, detail.files])).toEqual([["indexed", 2]]);
          let before = await versionOf(indexed);
          let seq = first.at(-1)?.seq ?? 0;
          for (const [number, { steps, isLarge, kills, rebuild }] of rounds.entries()) {
            for (const one of steps) apply(indexed.root, one);
            if (isLarge) plant(indexed.root, ballast(number));
            for (const calls of kills) await runUntil(indexed, calls);
            await indexed.run({ rebuild });
            const now = await versionOf(indexed);
            const changes = await changesAfter(indexed, seq);
            // A killed run may have written a part of it before: check that each file is there once.
            expect(problemsOf(before, now, changes)).toEqual([]);
            before = now;
            seq = changes.at(-1)?.seq ?? seq;
            await indexed.run({ rebuild: !rebuild });
            expect(await changesAfter(indexed, seq)).toEqual([]);
          }
        } finally {
          indexed.dispose();
        }
      }),
      { numRuns: 15 },
    );
  },
);

const QUESTIONS: readonly (readonly [MonitorKind, string])[] = [
  ["pattern", "TODO|FIXME"],
  ["symbol", "open"],
  ["path", "src/**"],
  ["query", "quantum flux capacitor"],
];

/** The monitors 1 to 4 of the namespace. */
async function watchAll({ data, root }: IndexedTree): Promise<void> {
  const registry = openRegistry(data);
  await registry.addSource("project", { root });
  for (const [kind, question] of QUESTIONS) {
    const monitor = { namespace: "project", owner: "local", name: kind, kind, question };
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await addMonitor(registry, monitor);
  }
  registry.close();
}

test(
  "over a long history, monitor hits are those of the full texts",
  { timeout: 180_000 },
  async () => {
    const indexed = indexedTree({ "a.ts": `${BLOCKS[1]}\n`, "b.ts": `${BLOCKS[3]}\n` });
    onTestFinished(indexed.dispose);
    await indexed.run();
    await watchAll(indexed);
    await indexed.run();
    let before = await versionOf(indexed);
    let [{ seq } = { seq: 0 }] = await changesAfter(indexed, 0);
    const kinds = new Set<number>();
    for (const steps of fc.sample(fc.array(step, { minLength: 1, maxLength: 4 }), {
      numRuns: 50,
      seed: 7,
    })) {
      for (const one of steps) apply(indexed.root, one);
      await indexed.run();
      const now = await versionOf(indexed);
      const changes = await changesAfter(indexed, seq);
      expect(problemsOf(before, now, changes)).toEqual([]);
      for (const change of changes) {
        const { path: at, oldPath, hits } = change;
        for (const { monitor } of hits) kinds.add(monitor);
        const found = hits.map((hit) => (hit.monitor === 4 ? { ...hit, detail: "chunks" } : hit));
        expect(found).toEqual(hitsOf(change, before.get(oldPath ?? at), now.get(at)));
      }
      before = now;
      seq = changes.at(-1)?.seq ?? seq;
    }
    expect([...kinds].toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4]);
  },
);

/** For the query, only the existence of a hit is compared; other tests cover its matching. */
function hitsOf(
  change: ChangeEvent,
  was: FileVersion | undefined,
  is: FileVersion | undefined,
): readonly unknown[] {
  const lines = newLines(was?.text ?? "", is?.text ?? "");
  const todos = lines.filter(({ text }) => /TODO|FIXME/.test(text));
  const shown = todos.slice(0, 5).map(({ line, text }) => ({ line, text: text.trim() }));
  const symbol = symbolHit(change, usesOf("open", was), usesOf("open", is));
  const paths = [change.path, change.oldPath ?? ""];
  const answers = (is?.chunked.chunks ?? []).filter(({ startLine, endLine }) => {
    const text =
      is?.text
        .split("\n")
        .slice(startLine - 1, endLine)
        .join("\n") ?? "";
    const words = ["quantum", "flux", "capacitor"].filter((word) => text.includes(word));
    return words.length >= 2 && lines.some(({ line }) => line >= startLine && line <= endLine);
  });
  return [
    ...(todos.length > 0 ? [{ monitor: 1, detail: { count: todos.length, lines: shown } }] : []),
    ...(symbol === undefined ? [] : [{ monitor: 2, detail: symbol }]),
    ...(paths.some((one) => one.startsWith("src/")) ? [{ monitor: 3, detail: {} }] : []),
    ...(answers.length > 0 ? [{ monitor: 4, detail: "chunks" }] : []),
  ];
}

function symbolHit(
  { detail }: ChangeEvent,
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): unknown {
  const definitions = (detail.symbols ?? []).filter(
    ({ name, oldName }) => name === "open" || oldName === "open",
  );
  const owners = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted();
  const uses = owners
    .map((symbol) => ({ symbol, before: before[symbol] ?? 0, now: now[symbol] ?? 0 }))
    .filter((one) => one.before !== one.now);
  if (definitions.length + uses.length === 0) return undefined;
  return {
    count: definitions.length + uses.length,
    ...(definitions.length > 0 ? { definitions: definitions.slice(0, 5) } : {}),
    ...(uses.length > 0 ? { uses: uses.slice(0, 5) } : {}),
  };
}

test("lines older than a monitor are no hits when their file changes", async () => {
  const indexed = indexedTree({ "a.ts": "// TODO old\nopen('a');\n" });
  onTestFinished(indexed.dispose);
  await indexed.run();
  await watchAll(indexed);
  await indexed.run();
  plant(indexed.root, { "a.ts": "// TODO old\nopen('a');\nexport const one = 1;\n" });
  await indexed.run();
  expect((await changesAfter(indexed, 1)).map(({ hits }) => hits)).toEqual([[]]);
  plant(indexed.root, {
    "a.ts": `${readFileSync(join(indexed.root, "a.ts"), "utf8")}// TODO new\n`,
  });
  await indexed.run();
  const [change] = await changesAfter(indexed, 2);
  expect(change?.hits).toEqual([
    { monitor: 1, detail: { count: 1, lines: [{ line: 4, text: "// TODO new" }] } },
  ]);
});
