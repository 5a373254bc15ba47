// The index of another machine in a folder of this one: the checks before its use.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { ExportedFile, ExportedIndex } from "../../../src/base/exported-index.ts";
import { packedEmbeddings } from "../../../src/engine/embeddings.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { fetchedLayout } from "../../../src/index/embedded/fetched-layout.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { engineOnDisk, indexed, modules } from "../../engine/fixtures/worktrees.ts";
import { offerOf, type RecordedOffer } from "../../helpers/index-offer.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant, tree } from "../../helpers/tree.ts";

const EMBEDDER = packedEmbeddings.id;
const NEVER = new AbortController().signal;

/** Another machine with an index, and the folder into which this machine fetches it. */
async function machines() {
  const server = engineOnDisk();
  const files = tree({ ...modules(20), ...manyWords() });
  onTestFinished(files.dispose);
  await indexed(server, files.path, "project");
  const data = tree();
  onTestFinished(data.dispose);
  const backend = new EmbeddedBackend(data.path);
  onTestFinished(() => backend.close());
  const layout = indexLayout(data.path, "laptop");
  const fetch = (offer: RecordedOffer, embedder = EMBEDDER) =>
    backend.bases.fetchOffer("laptop", offer, { embedder, signal: NEVER });
  const paths = async (): Promise<readonly string[] | undefined> => {
    const base = await backend.bases.openFetched("laptop", EMBEDDER);
    base?.close();
    return base && [...base.files.keys()].toSorted();
  };
  return { server, files, fetch, paths, layout, fetched: fetchedLayout(layout) };
}

test("it is fetched once, and then only what is new; the namespace itself stays without an index", async () => {
  const { server, files, fetch, paths, layout, fetched } = await machines();
  const first = offerOf(server.engine, "project");
  const { fetchedBytes } = await fetch(first);
  expect(fetchedBytes).toBeGreaterThan(10_000);
  expect(await paths()).toHaveLength(28);
  expect(existsSync(layout.catalog)).toBe(false);
  const again = offerOf(server.engine, "project");
  expect(await fetch(again)).toEqual({ fetchedBytes: 0 });
  expect([again.known, again.offsets]).toEqual([[expect.any(String)], []]);
  plant(files.path, { "new.md": "# New\n\nThe otter swims.\n" });
  await indexed(server, files.path, "project");
  const moved = offerOf(server.engine, "project");
  const next = await fetch(moved);
  expect(next.fetchedBytes).toBeGreaterThan(0);
  expect(next.fetchedBytes).toBeLessThan(fetchedBytes / 2);
  expect(await paths()).toContain("new.md");
  const listed = await server.engine.exports.list({ principal: LOCAL, namespace: "project" });
  expect(readdirSync(fetched.segments).toSorted()).toEqual(
    listed.segments.map(({ name }) => name).toSorted(),
  );
});

test("a fetch that was cut off goes on where it was", async () => {
  const { server, fetch, paths } = await machines();
  const whole = offerOf(server.engine, "project", { partBytes: 4096 });
  const cut = offerOf(server.engine, "project", {
    partBytes: 4096,
    part: (bytes, call) => {
      if (call === 3) throw new Error("the cable was pulled");
      return bytes;
    },
  });
  await expect(fetch(cut)).rejects.toThrow("the cable was pulled");
  expect(await paths()).toBeUndefined();
  await fetch(whole);
  expect(whole.offsets[0]).toBe(3 * 4096);
  expect(await paths()).toHaveLength(28);
});

test("a segment that the other machine has merged meanwhile is looked for in a new list", async () => {
  const { server, files, fetch, paths } = await machines();
  const merged = offerOf(server.engine, "project", {
    part: (bytes, call) => (call === 0 ? undefined : bytes),
  });
  await fetch(merged);
  expect(merged.known).toEqual([undefined, undefined]);
  expect(await paths()).toHaveLength(28);
  // An index of another version, so that there is something to fetch.
  plant(files.path, { "new.md": "# New\n\nThe otter swims.\n" });
  await indexed(server, files.path, "project");
  const endless = offerOf(server.engine, "project", { part: () => undefined });
  await expect(fetch(endless)).rejects.toMatchObject({
    code: "INDEX_UNAVAILABLE",
    message: expect.stringContaining("changes faster than it can be fetched"),
  });
  expect(await paths()).toHaveLength(28);
});

test("a segment that was damaged on this disk is fetched again", async () => {
  const { server, fetch, paths, fetched } = await machines();
  await fetch(offerOf(server.engine, "project"));
  const [name = ""] = readdirSync(fetched.segments);
  const bytes = readFileSync(join(fetched.segments, name));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(join(fetched.segments, name), bytes);
  const again = offerOf(server.engine, "project");
  await fetch(again);
  expect(again.known).toEqual([undefined]);
  expect(again.offsets).toEqual([0]);
  expect(await paths()).toHaveLength(28);
});

function withFile(
  index: ExportedIndex,
  change: (file: ExportedFile) => ExportedFile,
): ExportedIndex {
  const [first, ...rest] = index.files;
  return { ...index, files: first === undefined ? rest : [change(first), ...rest] };
}

function withSegment(index: ExportedIndex, change: object): ExportedIndex {
  const [first, ...rest] = index.segments;
  return { ...index, segments: first === undefined ? rest : [{ ...first, ...change }, ...rest] };
}

function place(
  [path, hash, size, language, role, flags, chunks, symbols]: ExportedFile,
  segment: number,
  ordinal: number,
): ExportedFile {
  return [path, hash, size, language, role, flags, chunks, symbols, segment, ordinal];
}

const RANKS = { files: "AAAA", symbols: "" };

const HOSTILE: readonly (readonly [string, (index: ExportedIndex) => ExportedIndex, string])[] = [
  [
    "a name that leads out",
    (all) => withSegment(all, { name: "../../catalog.db" }),
    "is not the name of a segment",
  ],
  [
    "an absolute name",
    (all) => withSegment(all, { name: "/etc/passwd" }),
    "is not the name of a segment",
  ],
  [
    "the name of the catalogue",
    (all) => withSegment(all, { name: "catalog.unfinished" }),
    "is not the name",
  ],
  [
    "a name twice",
    (all) => ({ ...all, segments: [...all.segments, ...all.segments] }),
    "is not the name of a segment",
  ],
  ["a huge size", (all) => withSegment(all, { bytes: 2 ** 40 }), "bytes are too many"],
  [
    "a size that is too large",
    (all) => withSegment(all, { bytes: (all.segments[0]?.bytes ?? 0) + 1 }),
    "a different size",
  ],
  [
    "a size that is too small",
    (all) => withSegment(all, { bytes: (all.segments[0]?.bytes ?? 0) - 1 }),
    "is damaged",
  ],
  ["more files than there are", (all) => withSegment(all, { files: 29 }), "is damaged"],
  ["too many shards", (all) => ({ ...all, shards: 5000 }), "shards are too many"],
  ["another format", (all) => ({ ...all, format: all.format - 1 }), "Update the server"],
  ["a newer format", (all) => ({ ...all, format: all.format + 1 }), "Update this svc"],
  ["another embedding table", (all) => ({ ...all, embedder: "theirs" }), "another embedding table"],
  [
    "a segment that is not listed",
    (all) => withFile(all, (file) => place(file, 7, 0)),
    "its list of files is damaged",
  ],
  [
    "a file beyond the segment",
    (all) => withFile(all, (file) => place(file, 0, 28)),
    "its list of files is damaged",
  ],
  [
    "the place of another file",
    (all) => withFile(all, (file) => place(file, 0, 5)),
    "does not belong to its segments",
  ],
  [
    "ranks of another segment",
    (all) => withSegment(all, { ranks: RANKS }),
    "does not belong to its segments",
  ],
  [
    "a file twice",
    (all) => ({ ...all, files: [...all.files, ...all.files] }),
    "its list of files is damaged",
  ],
  [
    "no hash",
    (all) => withFile(all, ([path, , ...rest]) => [path, "", ...rest]),
    "its list of files is damaged",
  ],
];

test("a list that is wrong is refused, and what was fetched before stays", async () => {
  const { server, files, fetch, paths, layout, fetched } = await machines();
  await fetch(offerOf(server.engine, "project"));
  plant(files.path, { "new.md": "# New\n\nThe otter swims.\n" });
  await indexed(server, files.path, "project");
  const before = await paths();
  for (const [what, list, message] of HOSTILE) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const failure: unknown = await fetch(offerOf(server.engine, "project", { list })).catch(
      (thrown: unknown) => thrown,
    );
    expect([what, errorText(failure)]).toEqual([what, expect.stringContaining(message)]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect([what, await paths()]).toEqual([what, before]);
    expect([what, readdirSync(layout.directory)]).toEqual([what, ["fetched"]]);
    expect([what, existsSync(join(fetched.segments, "catalog.unfinished"))]).toEqual([what, false]);
  }
});

function errorText(thrown: unknown): string {
  return thrown instanceof SvcError ? `${thrown.detail} ${thrown.hint ?? ""}` : String(thrown);
}

test("parts that are wrong are refused, and not kept", async () => {
  const { server, fetch, paths } = await machines();
  const parts: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
    (bytes) => Uint8Array.from(bytes, (byte, at) => (at === 500 ? byte ^ 1 : byte)),
    (bytes) => Buffer.concat([bytes, bytes]),
    () => new Uint8Array(),
  ];
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(fetch(offerOf(server.engine, "project", { part }))).rejects.toMatchObject({
      code: "INDEX_UNAVAILABLE",
      hint: expect.stringContaining("Without --from-remote, svc indexes the files"),
    });
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await paths()).toBeUndefined();
  }
  const good = offerOf(server.engine, "project");
  await fetch(good);
  expect(new Set(good.offsets)).toEqual(new Set([0]));
});
