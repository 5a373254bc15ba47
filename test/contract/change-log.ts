import { expect, test } from "vitest";

import type {
  ChangeHit,
  FileVersion,
  FlushPlan,
  MatchMonitors,
} from "../../src/index/change-log/change-event.ts";
import type { ChangeLogStore, RecordedFile } from "../../src/index/change-log/change-log-store.ts";
import {
  encodeLineHashes,
  NO_FINGERPRINTS,
  writeFingerprints,
} from "../../src/index/change-log/fingerprint-block.ts";
import { flushChanges, needsFlush } from "../../src/index/change-log/flush-changes.ts";
import {
  recordRemoval,
  recordSkipped,
  recordVersion,
} from "../../src/index/change-log/record-version.ts";
import type { ChangeLogReader } from "../../src/index/port.ts";

/** A change log of one backend, with a way to write to it. */
export interface TestedChangeLog {
  /** Runs `change` in one transaction. */
  readonly write: (change: (store: ChangeLogStore) => void) => void;
  readonly reader: ChangeLogReader;
  /**
   * For an index that stores the indexed content of a file only once: runs `record` and replaces the indexed content.
   */
  readonly replacing?: (
    file: Pick<RecordedFile, "path" | "source" | "hash">,
    version: FileVersion | undefined,
    record: () => void,
  ) => void;
}

interface IndexedFile {
  readonly path: string;
  readonly source: number;
  readonly hash: string;
}

/** Records a file, like an index that publishes it. */
function index(
  { replacing = (_file, _version, record) => record() }: TestedChangeLog,
  store: ChangeLogStore,
  file: IndexedFile,
  version = VERSION,
): void {
  replacing(file, version, () => recordVersion(store, file, version));
}

/** Records the removal of a file. */
function unindex(
  { replacing = (_file, _version, record) => record() }: TestedChangeLog,
  store: ChangeLogStore,
  path: string,
): void {
  replacing({ path, source: 1, hash: null }, undefined, () => recordRemoval(store, path));
}

const VERSION: FileVersion = {
  fingerprints: writeFingerprints(NO_FINGERPRINTS),
  lineHashes: undefined,
  watched: undefined,
  found: undefined,
};
const NO_HITS: MatchMonitors = () => [];
const ALL: FlushPlan = {
  sources: new Map([[1, ""]]),
  completeSources: new Set([1]),
  match: NO_HITS,
};
const DAY_MS = 24 * 3600 * 1000;

function versionWith(...names: readonly string[]): FileVersion {
  const symbols = names.map((qualifiedName, body) => ({
    qualifiedName,
    kind: "function" as const,
    signature: 1,
    body,
  }));
  return { ...VERSION, fingerprints: writeFingerprints({ outside: 0, symbols }) };
}

/** A version whose lines have these hashes, with data and possible hits of monitors. */
function versionOfLines(...hashes: readonly number[]): FileVersion {
  return {
    ...VERSION,
    lineHashes: Uint32Array.from(hashes),
    watched: JSON.stringify({ uses: hashes.length }),
    found: JSON.stringify({ at: hashes }),
  };
}

/** What every change log promises (src/index/change-log). `make` gives an empty one. */
export function changeLogContract(make: () => TestedChangeLog): void {
  /** A log that reports source 1, and functions that fill it; each flush is a generation, a second after the last. */
  const begun = (maxChanges?: number) => {
    const tested = make();
    const { write, reader } = tested;
    let generation = 0;
    let nowMs = 1_700_000_000_000;
    const flush = (plan: Partial<FlushPlan> = {}): void => {
      generation += 1;
      nowMs += 1000;
      const options = { generation, atMs: nowMs, maxChanges };
      write((store) => flushChanges(store, { ...ALL, ...plan }, options));
    };
    flush();
    return {
      reader,
      write,
      flush,
      later: (ms: number) => void (nowMs += ms),
      index: (store: ChangeLogStore, file: IndexedFile) => index(tested, store, file),
      add: (path: string, hash = path, version = VERSION) =>
        write((store) => index(tested, store, { path, source: 1, hash }, version)),
      remove: (path: string) => write((store) => unindex(tested, store, path)),
      skip: (path: string) =>
        write((store) => {
          const { replacing = (_file, _version, record) => record() } = tested;
          const skipped = { path, source: 1, hash: "" };
          replacing(skipped, undefined, () => recordSkipped(store, path, 1));
        }),
      events: async (after = 1) =>
        (await reader.after(after, 1000, [])).map(({ seq, kind, path }) => [seq, kind, path]),
    };
  };

  test("a new log is empty, and its id is its own", async () => {
    const [one, other] = [await make().reader.state(), await make().reader.state()];
    expect(one).toMatchObject({ last: 0, forgotten: 0 });
    expect(one.id).not.toBe(other.id);
  });

  test("the first complete read of a source is one change, and its files are none", async () => {
    const tested = make();
    const { write, reader } = tested;
    write((store) => {
      index(tested, store, { path: "lib/a", source: 1, hash: "1" });
      index(tested, store, { path: "lib/b", source: 1, hash: "2" });
      const plan = { ...ALL, sources: new Map([[1, "lib/"]]) };
      expect(needsFlush(store, plan)).toBe(true);
      flushChanges(store, plan, { generation: 4, atMs: 5 });
      expect(needsFlush(store, plan)).toBe(false);
    });
    const change = { kind: "indexed", path: "lib/", detail: { files: 2 } };
    expect(await reader.after(0, 10, [])).toEqual([
      { ...change, seq: 1, generation: 4, atMs: 5, oldPath: undefined, hits: [] },
    ]);
  });

  test("files of a source that is not reported yet are baselines at once", async () => {
    const tested = make();
    const { write, reader } = tested;
    write((store) => index(tested, store, { path: "a", source: 1, hash: "1" }));
    write((store) => {
      expect(store.hasPending()).toBe(false);
      expect(store.baseline("a")).toMatchObject({ hash: "1", source: 1 });
      unindex(tested, store, "a");
      expect(store.baseline("a")).toBeUndefined();
    });
    expect((await reader.state()).last).toBe(0);
  });

  test("added, changed and removed files are reported once, in the order of their paths", async () => {
    const log = begun();
    log.add("b", "1");
    log.add("a", "1");
    log.flush();
    log.add("a", "2");
    log.remove("b");
    log.add("c", "3");
    log.flush();
    log.flush();
    expect(await log.events()).toEqual([
      [2, "added", "a"],
      [3, "added", "b"],
      [4, "changed", "a"],
      [5, "removed", "b"],
      [6, "added", "c"],
    ]);
  });

  test("paths are ordered by their bytes, also beyond the basic plane", async () => {
    const log = begun();
    for (const path of ["\u{1F600}", "\uFFFD", "z", "é"]) log.add(path);
    log.flush();
    expect((await log.events()).map(([, , path]) => path)).toEqual([
      "z",
      "é",
      "\uFFFD",
      "\u{1F600}",
    ]);
  });

  test("a file that changes and changes back between two flushes is not reported", async () => {
    const log = begun();
    log.add("a", "1");
    log.flush();
    log.add("a", "2");
    log.add("a", "1");
    log.flush();
    expect(await log.events(2)).toEqual([]);
  });

  test("a file that comes and goes between two flushes is not reported", async () => {
    const log = begun();
    log.add("a");
    log.remove("a");
    log.flush();
    expect(await log.events()).toEqual([]);
  });

  test("a file whose content is no longer indexed is changed and unread; an unknown one is nothing", async () => {
    const log = begun();
    log.add("a", "1");
    log.flush();
    log.skip("a");
    log.skip("never-indexed");
    log.flush();
    const [change, ...others] = await log.reader.after(2, 10, []);
    expect(change).toMatchObject({ kind: "changed", path: "a", detail: { unread: true } });
    expect(others).toEqual([]);
  });

  test("moved files with equal content are paired by name, then by order; edited ones by their symbols", async () => {
    const log = begun();
    log.add("old/a.ts", "same");
    log.add("old/b.ts", "same");
    log.add("old/c.ts", "c1", versionWith("x", "y"));
    log.flush();
    for (const name of ["a", "b", "c"]) log.remove(`old/${name}.ts`);
    log.add("new/b.ts", "same");
    log.add("new/z.ts", "same");
    log.add("new/c.ts", "c2", versionWith("x", "z"));
    log.flush();
    const changes = await log.reader.after(4, 10, []);
    expect(changes.map(({ kind, path, oldPath }) => [kind, path, oldPath])).toEqual([
      ["renamed", "new/b.ts", "old/b.ts"],
      ["renamed", "new/c.ts", "old/c.ts"],
      ["renamed", "new/z.ts", "old/a.ts"],
    ]);
  });

  test("a changed file lists its changed symbols", async () => {
    const log = begun();
    log.add("a", "1", versionWith("kept", "gone"));
    log.flush();
    log.add("a", "2", versionWith("kept", "new"));
    log.flush();
    const [change] = await log.reader.after(2, 1, []);
    // The two have one signature and body, so it is a rename.
    expect(change?.detail.symbols).toEqual([
      { change: "renamed", name: "new", kind: "function", oldName: "gone" },
    ]);
  });

  test("a removed source is one change, and its return is one", async () => {
    const log = begun();
    for (const path of ["a", "b"]) log.add(path);
    log.flush();
    for (const path of ["a", "b"]) log.remove(path);
    log.flush({ sources: new Map(), completeSources: new Set() });
    log.add("a");
    log.flush();
    const changes = await log.reader.after(3, 10, []);
    expect(changes.map(({ kind, detail }) => [kind, detail.files])).toEqual([
      ["unindexed", 2],
      ["indexed", 1],
    ]);
  });

  test("a source that was not read completely is not reported yet", async () => {
    const tested = make();
    const { write, reader } = tested;
    write((store) => {
      index(tested, store, { path: "a", source: 1, hash: "1" });
      flushChanges(store, { ...ALL, completeSources: new Set() }, { generation: 1, atMs: 1 });
      expect(store.isReported(1)).toBe(false);
    });
    expect((await reader.state()).last).toBe(0);
  });

  test("monitors get both versions of a file, and only their own hits are returned", async () => {
    const log = begun();
    log.add("a", "1", versionOfLines(1, 2));
    log.flush();
    log.add("a", "2", versionOfLines(2, 3, 4));
    const seen: unknown[] = [];
    const hits: ChangeHit[] = [
      { monitor: 9, detail: { count: 2 } },
      { monitor: 7, detail: { count: 1, nothing: undefined } },
    ];
    log.flush({
      match: ({ path, kind }, before, now) => {
        seen.push([path, kind, before?.watched, now?.watched, now?.found]);
        seen.push([[...(before?.lineHashes ?? [])], [...(now?.lineHashes ?? [])]]);
        return hits;
      },
    });
    expect(seen).toEqual([
      ["a", "changed", { uses: 2 }, { uses: 3 }, { at: [2, 3, 4] }],
      [
        [1, 2],
        [2, 3, 4],
      ],
    ]);
    const of = async (...monitors: number[]): Promise<unknown> =>
      (await log.reader.after(2, 1, monitors))[0]?.hits;
    expect(await of(7)).toEqual([{ monitor: 7, detail: { count: 1 } }]);
    expect(await of(9, 7)).toEqual([
      { monitor: 7, detail: { count: 1 } },
      { monitor: 9, detail: { count: 2 } },
    ]);
    expect(await of()).toEqual([]);
  });

  test("hits are found in a range, oldest first, up to a limit", async () => {
    const log = begun();
    const flush = (monitor: number): void => log.flush({ match: () => [{ monitor, detail: {} }] });
    for (const [at, path] of ["a", "b", "c", "d"].entries()) {
      log.add(path);
      flush(at % 2);
    }
    const found = async (after: number, last: number, limit: number, ...monitors: number[]) =>
      (await log.reader.hitsAfter({ after, last }, limit, monitors)).map(({ seq, monitor, path }) =>
        [seq, monitor, path].join(" "),
      );
    expect(await found(1, 5, 10, 0, 1)).toEqual(["2 0 a", "3 1 b", "4 0 c", "5 1 d"]);
    expect(await found(2, 4, 10, 0, 1)).toEqual(["3 1 b", "4 0 c"]);
    expect(await found(1, 5, 1, 1)).toEqual(["3 1 b"]);
    expect(await found(1, 5, 10, 5)).toEqual([]);
  });

  test("pages forwards and backwards have every change once", async () => {
    const log = begun();
    for (let at = 0; at < 25; at += 1) log.add(`f${String(at).padStart(2, "0")}`);
    log.flush();
    const forwards: number[] = [];
    for (let after = 0; forwards.length < 26; after = forwards.at(-1) ?? 0) {
      // oxlint-disable-next-line no-await-in-loop -- each page starts where the last one ended
      forwards.push(...(await log.reader.after(after, 10, [])).map(({ seq }) => seq));
    }
    const backwards: number[] = [];
    for (let before = 27; backwards.length < 26; before = backwards.at(-1) ?? 0) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      backwards.push(...(await log.reader.before(before, 10, [])).map(({ seq }) => seq));
    }
    expect(forwards).toEqual(Array.from({ length: 26 }, (_, at) => at + 1));
    expect(backwards).toEqual(forwards.toReversed());
    expect(await log.reader.after(26, 10, [])).toEqual([]);
  });

  test("a generation and a time have their last change", async () => {
    const log = begun();
    log.add("a");
    log.flush();
    log.add("b");
    log.add("c");
    log.flush();
    const { reader } = log;
    const { atMs } = (await reader.after(1, 1, []))[0] ?? { atMs: 0 };
    expect(await Promise.all([0, 1, 2, 3, 9].map(reader.seqAtGeneration))).toEqual([0, 1, 2, 4, 4]);
    expect(await Promise.all([0, atMs, atMs + 1, Infinity].map(reader.seqBefore))).toEqual([
      0, 1, 2, 4,
    ]);
  });

  test("the oldest changes are deleted, and the state has the last deleted one", async () => {
    const log = begun(10);
    for (let at = 0; at < 25; at += 1) {
      log.add(`f${at}`);
      log.flush();
    }
    expect(await log.reader.state()).toMatchObject({ last: 26, forgotten: 16 });
    const seqs = (await log.reader.after(0, 100, [])).map(({ seq }) => seq);
    expect(seqs).toEqual([17, 18, 19, 20, 21, 22, 23, 24, 25, 26]);
    expect(await log.reader.seqAtGeneration(3)).toBe(16);
    expect(await log.reader.seqBefore(0)).toBe(16);
  });

  test("changes older than 90 days are deleted with the next change", async () => {
    const log = begun();
    log.add("old");
    log.flush();
    const before = await log.reader.after(0, 10, []);
    log.later(91 * DAY_MS);
    log.add("new");
    log.flush();
    expect((await log.events(0)).map(([, , path]) => path)).toEqual(["new"]);
    const state = await log.reader.state();
    expect(state).toMatchObject({ last: 3, forgotten: 2 });
    expect(state.sinceMs).toBe((before.at(-1)?.atMs ?? 0) + 1);
  });

  test("sequence numbers continue when every change was deleted", async () => {
    const log = begun();
    log.write((store) => store.forget(1));
    expect(await log.reader.state()).toMatchObject({ last: 1, forgotten: 1 });
    log.add("a");
    log.flush();
    expect(await log.events(0)).toEqual([[2, "added", "a"]]);
  });

  test("baselines keep line hashes and watched data", () => {
    const { write } = make();
    const lineHashes = encodeLineHashes(Uint32Array.from([3, 5]));
    const file = { path: "a", source: 1, hash: "1", fingerprints: VERSION.fingerprints };
    write((store) => store.setBaseline({ ...file, lineHashes, watched: "{}" }));
    write((store) => {
      const { lineHashes: lines, watched, hash } = store.baseline("a") ?? {};
      expect([lines && [...lines], watched, hash]).toEqual([[...(lineHashes ?? [])], "{}", "1"]);
    });
  });

  test("a transaction that throws leaves nothing", async () => {
    const log = begun();
    const refused = (): void =>
      log.write((store) => {
        log.index(store, { path: "a", source: 1, hash: "1" });
        flushChanges(store, ALL, { generation: 9, atMs: 9 });
        throw new Error("refused");
      });
    expect(refused).toThrow("refused");
    expect(await log.events(0)).toEqual([[1, "indexed", ""]]);
    log.write((store) => expect(store.baseline("a")).toBeUndefined());
  });
}
