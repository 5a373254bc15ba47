// A kill before each disk operation of one commit, or of one merge.
import { cpSync, readdirSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import type { IndexWriter } from "../../../src/index/port.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { tree } from "../../helpers/tree.ts";
import { SMALL, vectorsOf } from "../../helpers/vectors.ts";
import { look, pathsWith, problemsOf, vectorsByPath } from "../fixtures/check-index.ts";
import { addPlain, plainFile } from "../fixtures/plain-file.ts";
import { endsOf, KILLED, programOf } from "../fixtures/programs.ts";
import { AFTER, BEFORE, commitChange, numbered, BALLAST } from "../fixtures/changed-files.ts";

const program = programOf("commit-until-killed.ts", ["warm-up"]);

async function writing(
  data: string,
  change: (writer: IndexWriter) => Promise<unknown>,
): Promise<void> {
  const options = { waitMs: 0, embeddings: SMALL };
  const writer = await new EmbeddedBackend(data).writer("project", options);
  if (writer === undefined) throw new Error("a killed writer still holds the lock");
  await change(writer);
  await writer.collect();
  await writer.close();
}

/** Commits these files as the old version of an index, one commit per batch. */
async function prepare(
  data: string,
  batches: readonly Readonly<Record<string, string>>[],
  ballast: number,
): Promise<void> {
  for (const files of batches) {
    // oxlint-disable-next-line no-await-in-loop -- sequential segments
    await writing(data, (writer) => {
      addPlain(writer, files, ballast);
      writer.setNote("version", "old");
      return writer.commit();
    });
  }
}

/** Path -> name of its function, as found; vectors; the note; and the number of segments that are files. */
async function versionOf(data: string): Promise<unknown> {
  return look(data, "project", async (seen) => {
    const files: Record<string, string> = {};
    for (const { path } of seen.catalog.files.all()) {
      // oxlint-disable-next-line no-await-in-loop -- a reader answers one query at a time
      const [symbol] = await seen.reader.symbolsOf(path);
      const name = symbol?.name ?? "";
      // oxlint-disable-next-line no-await-in-loop -- as above
      const [first] = await pathsWith(seen.reader, name.replace(/\d+$/, ""), name);
      if (first !== undefined) files[path] = name;
    }
    const note = seen.catalog.meta("note version");
    const parts = seen.catalog.segments.all().map(({ isRow }) => (isRow ? "row" : "file"));
    const vectors = vectorsByPath(seen);
    return { files, vectors, note, parts, problems: await problemsOf(seen) };
  });
}

/** Segments in the folder that the catalog does not list, and listed ones that are missing. */
async function strayFiles(data: string): Promise<readonly string[]> {
  const live = await look(data, "project", async ({ catalog }) => catalog.segments.all());
  const known = live?.flatMap(({ name, isRow }) => (isRow ? [] : [name])) ?? [];
  const there = readdirSync(new EmbeddedBackend(data).layout("project").segments);
  return [...known, ...there].filter((name) => !known.includes(name) || !there.includes(name));
}

interface Case {
  readonly what: "commit" | "merge";
  readonly prepare: (data: string) => Promise<void>;
  readonly run: (data: string) => Promise<void>;
  readonly old: unknown;
  readonly new: unknown;
}

/** A correct version with this number of segments that are files. */
function whole(
  batches: readonly Readonly<Record<string, string>>[],
  { note, segments }: { note: string; segments: number },
): unknown {
  const files = batches
    .flatMap((batch) => Object.entries(batch))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const parts = Array.from({ length: segments }, () => "file");
  const vectors = files.map(([path, name]) => {
    const all = vectorsOf(plainFile(path, name).content, SMALL);
    return [path, all.map((one) => Buffer.from(one).toString("hex"))] as const;
  });
  return {
    files: Object.fromEntries(files),
    vectors: Object.fromEntries(vectors),
    note,
    parts,
    problems: [],
  };
}

const BATCHES = ["a", "b", "c", "d"].map((letter) => numbered(letter, 3));

test.each<Case>([
  {
    what: "commit",
    prepare: (data) => prepare(data, BEFORE, BALLAST),
    run: (data) => writing(data, commitChange),
    old: whole(BEFORE, { note: "old", segments: 2 }),
    new: whole([AFTER], { note: "new", segments: 2 }),
  },
  {
    what: "merge",
    prepare: (data) => prepare(data, BATCHES, 100_000),
    run: (data) => writing(data, (writer) => writer.merge()),
    old: whole(BATCHES, { note: "old", segments: 4 }),
    new: whole(BATCHES, { note: "old", segments: 1 }),
  },
])(
  "a kill before each step of a $what leaves the old version or the new one",
  async (one) => {
    const template = tree();
    onTestFinished(template.dispose);
    await one.prepare(template.path);
    const fresh = (): string => {
      const { path, dispose } = tree();
      onTestFinished(dispose);
      cpSync(template.path, path, { recursive: true });
      return path;
    };
    const steps = Number(program.run(fresh(), one.what, "0").output);
    expect(steps).toBeGreaterThan(30);

    const copies = Array.from({ length: steps }, fresh);
    const calls = copies.map((data, at) => [data, one.what, String(at + 1)]);
    const half = Math.ceil(steps / 2);
    const ends = await Promise.all(
      [calls.slice(0, half), calls.slice(half)].map((some) => endsOf(program, some)),
    );
    expect(ends.flat()).toEqual(calls.map(() => KILLED));

    async function versionAfter(step: number): Promise<"old" | "new"> {
      const data = copies[step - 1] ?? "";
      const found = await versionOf(data);
      const isNew = JSON.stringify(found) === JSON.stringify(one.new);
      expect([step, found]).toEqual([step, isNew ? one.new : one.old]);
      // The next run completes it and leaves no unused files.
      await one.run(data);
      expect([step, await versionOf(data)]).toEqual([step, one.new]);
      expect([step, await strayFiles(data)]).toEqual([step, []]);
      return isNew ? "new" : "old";
    }

    const outcomes: string[] = [];
    for (let step = 1; step <= steps; step += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one index after the other
      outcomes.push(await versionAfter(step));
    }
    // The version changes at one operation, and stays new after it.
    const news = outcomes.filter((outcome) => outcome === "new").length;
    expect([outcomes.indexOf("new"), news > 0]).toEqual([steps - news, true]);
  },
  240_000,
);
