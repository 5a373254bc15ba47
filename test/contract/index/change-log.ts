import { expect, test } from "vitest";

import { packedEmbeddings } from "../../../src/engine/embeddings.ts";
import type { FileVersion, FlushPlan } from "../../../src/index/change-log/change-event.ts";
import {
  NO_FINGERPRINTS,
  writeFingerprints,
} from "../../../src/index/change-log/fingerprint-block.ts";
import type { IndexWriter } from "../../../src/index/port.ts";
import { NO_REFERENCES, type Use } from "../../../src/parse/references/references.ts";
import { plainFile } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { fileWith, NAMESPACE, testedIndex, type MakeBackends } from "./tested-index.ts";

const PLAN: FlushPlan = {
  sources: new Map([[1, ""]]),
  completeSources: new Set([1]),
  match: () => [],
};

const VERSION: FileVersion = {
  fingerprints: writeFingerprints(NO_FINGERPRINTS),
  lineHashes: undefined,
  watched: undefined,
  found: undefined,
};

/** A version with functions of these names and hashes of bodies. */
function versionWith(bodies: Readonly<Record<string, number>>): FileVersion {
  const symbols = Object.entries(bodies).map(([qualifiedName, body]) => {
    return { qualifiedName, kind: "function", signature: 1, body } as const;
  });
  return { ...VERSION, fingerprints: writeFingerprints({ outside: 0, symbols }) };
}

/** Adds a complete file whose content is `name`. */
function add(
  writer: IndexWriter,
  path: string,
  name: string,
  more: Partial<FileVersion> = {},
): void {
  const { state, content } = plainFile(path, name);
  writer.add(state, content, { ...VERSION, ...more });
}

/** The change log through the port, and the data of monitors. */
export function changeLogOfIndexContract(make: MakeBackends): void {
  test("changes of complete files are reported with the generation that published them", async () => {
    const { write, read, other } = testedIndex(make);
    await write(async (writer) => {
      add(writer, "a.ts", "alpha");
      await writer.commit(PLAN);
      add(writer, "a.ts", "beta");
      add(writer, "b.ts", "gamma");
      // Published, and reported by the next flush.
      expect((await writer.commit()).at).toBe(2);
      expect(writer.monitorState.hasPending()).toBe(true);
      writer.remove("b.ts");
      const { state, content } = plainFile("words.ts", "delta");
      writer.add({ ...state, stage: "words" }, { ...content, isFinal: false });
      expect((await writer.commit(PLAN)).at).toBe(3);
      expect(writer.monitorState.hasPending()).toBe(false);
    });
    const { changeLog } = await read();
    const events = await changeLog.after(0, 10, []);
    expect(events.map(({ seq, kind, path, generation }) => [seq, kind, path, generation])).toEqual([
      [1, "indexed", "", 1],
      [2, "changed", "a.ts", 3],
    ]);
    const direct = await other.changeLog(authorized(NAMESPACE));
    expect(await direct?.after(0, 10, [])).toEqual(events);
    expect(await direct?.seqAtGeneration(2)).toBe(1);
  });

  test("a reader reads the change log of the newest reader", async () => {
    const { write, read, other } = testedIndex(make);
    await write((writer) => writer.commit(PLAN));
    const reader = await read();
    const direct = await other.changeLog(authorized(NAMESPACE));
    await write(async (writer) => {
      add(writer, "a.ts", "alpha");
      await writer.commit(PLAN);
    });
    await read();
    expect([(await reader.changeLog.state()).last, (await direct?.state())?.last]).toEqual([2, 2]);
  });

  test("a commit with a plan creates a version only if there is something to report", async () => {
    const { write } = testedIndex(make);
    await write(async (writer) => {
      const versions = [await writer.commit(PLAN), await writer.commit(PLAN)];
      add(writer, "a.ts", "alpha");
      versions.push(await writer.commit(), await writer.commit(PLAN), await writer.commit(PLAN));
      expect(versions.map(({ at }) => at)).toEqual([1, 1, 2, 3, 3]);
    });
  });

  test("a file whose content is no longer indexed is a change", async () => {
    const { write, read } = testedIndex(make);
    await write(async (writer) => {
      await writer.commit(PLAN);
      add(writer, "a.ts", "alpha");
      await writer.commit(PLAN);
      writer.put({ ...plainFile("a.ts", "").state, skipped: "binary" });
      writer.put({ ...plainFile("blob", "").state, skipped: "binary" });
      await writer.commit(PLAN);
    });
    const changes = await (await read()).changeLog.after(2, 10, []);
    expect(changes).toMatchObject([{ kind: "changed", path: "a.ts", detail: { unread: true } }]);
  });

  test.each([
    ["a rebuild", { quarantine: "all" }],
    ["another embedding table", { embeddings: packedEmbeddings }],
  ] as const)(
    "after %s, a change lists what differs from what was reported",
    async (_, options) => {
      const { write, read } = testedIndex(make);
      await write(async (writer) => {
        add(writer, "a.ts", "alpha", versionWith({ kept: 1, alpha: 2 }));
        add(writer, "b.ts", "beta", versionWith({ kept: 1, beta: 2 }));
        await writer.commit(PLAN);
      });
      await write(async (writer) => {
        add(writer, "a.ts", "alpha", versionWith({ kept: 1, alpha: 2 }));
        add(writer, "b.ts", "gamma", versionWith({ kept: 1, beta: 3 }));
        await writer.commit(PLAN);
      }, options);
      await write(async (writer) => {
        add(writer, "a.ts", "delta", versionWith({ kept: 4, alpha: 2 }));
        writer.remove("b.ts");
        await writer.commit(PLAN);
      });
      const changes = await (await read()).changeLog.after(1, 10, []);
      expect(
        changes.map(({ kind, path, detail }) => [
          kind,
          path,
          detail.symbols?.map(({ name }) => name),
        ]),
      ).toEqual([
        ["changed", "b.ts", ["beta"]],
        ["changed", "a.ts", ["kept"]],
        ["removed", "b.ts", ["kept", "beta"]],
      ]);
    },
  );

  test("a change that is reported late has the definitions of what was reported before", async () => {
    const { write, read } = testedIndex(make);
    await write(async (writer) => {
      add(writer, "a.ts", "alpha", versionWith({ kept: 1, alpha: 2 }));
      await writer.commit(PLAN);
      const words = plainFile("a.ts", "beta");
      writer.add({ ...words.state, stage: "words" }, { ...words.content, isFinal: false });
      await writer.commit(PLAN);
    });
    await write(async (writer) => {
      add(writer, "a.ts", "beta", versionWith({ kept: 1, alpha: 3 }));
      await writer.commit();
      add(writer, "a.ts", "gamma", versionWith({ kept: 1, alpha: 4 }));
      add(writer, "other.ts", "other");
      await writer.commit();
      expect(writer.monitorState.changedSinceBaseline()).toEqual(["a.ts"]);
      await writer.commit(PLAN);
      expect(writer.monitorState.changedSinceBaseline()).toEqual([]);
    });
    const changes = await (await read()).changeLog.after(1, 10, []);
    expect(changes.map(({ kind, path, detail }) => [kind, path, detail.symbols])).toEqual([
      ["changed", "a.ts", [{ change: "body", name: "alpha", kind: "function" }]],
      ["added", "other.ts", undefined],
    ]);
  });

  test("monitors keep data with the baselines of files, and notes", async () => {
    const { write, read } = testedIndex(make);
    const { hash } = plainFile("a.ts", "alpha").state;
    await write(async (writer) => {
      add(writer, "a.ts", "alpha");
      await writer.commit(PLAN);
      const state = writer.monitorState;
      expect(state.withoutLineHashes()).toEqual([{ path: "a.ts", hash }]);
      expect([state.note("seen"), state.lineHashes("a.ts"), state.watched("a.ts")]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      await state.change((changes) => {
        changes.setNote("seen", "a");
        changes.setLineHashes("a.ts", Uint32Array.from([3, 70_000]));
        changes.setLineHashes("none.ts", Uint32Array.from([1]));
        changes.setWatched("a.ts", { uses: 2 });
        changes.setWatched("none.ts", {});
      });
    });
    const { changeLog } = await read();
    expect([await changeLog.note("seen"), await changeLog.note("other")]).toEqual(["a", undefined]);
    await write(async ({ monitorState: state }) => {
      expect([state.note("seen"), state.watched("a.ts")]).toEqual(["a", { uses: 2 }]);
      expect([...(state.lineHashes("a.ts") ?? [])]).toEqual([3, 70_000]);
      expect([state.withoutLineHashes(), state.lineHashes("none.ts")]).toEqual([[], undefined]);
      await state.change((changes) => {
        changes.dropLineHashes();
        changes.setWatched("a.ts", undefined);
      });
      expect(state.withoutLineHashes()).toEqual([{ path: "a.ts", hash }]);
      expect(state.watched("a.ts")).toBeUndefined();
    });
  });

  test("a change of monitor data that throws changes nothing, and creates no version", async () => {
    const { write, read } = testedIndex(make);
    await write(async (writer) => {
      add(writer, "a.ts", "alpha");
      await writer.commit(PLAN);
      const failure = new Error("stopped");
      const stopped = writer.monitorState.change((changes) => {
        changes.setNote("seen", "a");
        throw failure;
      });
      await expect(stopped).rejects.toBe(failure);
      expect(writer.monitorState.note("seen")).toBeUndefined();
      await writer.monitorState.change((changes) => changes.setNote("seen", "b"));
      expect(writer.monitorState.note("seen")).toBe("b");
    });
    expect((await read()).version.at).toBe(1);
  });

  test("files whose indexed content is not their baseline are listed", async () => {
    const { write } = testedIndex(make);
    await write(async (writer) => {
      for (const path of ["a.ts", "b.ts", "c.ts", "d.ts"]) add(writer, path, path.slice(0, 1));
      await writer.commit(PLAN);
      expect(writer.monitorState.changedSinceBaseline()).toEqual([]);
      add(writer, "a.ts", "other");
      writer.remove("b.ts");
      const { state, content } = plainFile("c.ts", "c");
      writer.add({ ...state, stage: "words" }, { ...content, isFinal: false });
      await writer.commit();
      expect(writer.monitorState.changedSinceBaseline().toSorted()).toEqual([
        "a.ts",
        "b.ts",
        "c.ts",
      ]);
    });
  });

  test("the definitions that use a name are listed by file, one for each use", async () => {
    const { write } = testedIndex(make);
    const uses: Use[] = [0, -1, 0].map((owner, at) => {
      const none = { target: -1, receiver: "", binding: -1 };
      return { name: "open", line: at + 1, role: "call", owner, ...none };
    });
    await write(async (writer) => {
      const { symbols } = plainFile("a.ts", "start").content;
      const references = { ...NO_REFERENCES, uses };
      const { state, content } = fileWith("a.ts", { symbols, references });
      writer.add(state, content);
      await writer.commit();
      expect(writer.monitorState.usesOf("open")).toEqual([
        { path: "a.ts", owners: ["start", "", "start"] },
      ]);
      expect(writer.monitorState.usesOf("none")).toEqual([]);
    });
  });

  test("hits of monitors are read with the changes, and those of other monitors can be deleted", async () => {
    const { write, read } = testedIndex(make);
    const hits = [7, 9].map((monitor) => ({ monitor, detail: { at: monitor } }));
    await write(async (writer) => {
      await writer.commit(PLAN);
      add(writer, "a.ts", "alpha");
      await writer.commit({ ...PLAN, match: () => hits });
      await writer.monitorState.change((changes) => changes.deleteHitsExcept([7]));
    });
    const { changeLog } = await read();
    expect(await changeLog.after(1, 10, [7])).toMatchObject([
      { path: "a.ts", hits: [{ monitor: 7, detail: { at: 7 } }] },
    ]);
    const range = { after: 0, last: 2 };
    expect(await changeLog.hitsAfter(range, 10, [7])).toEqual([
      { seq: 2, monitor: 7, path: "a.ts" },
    ]);
  });

  test("monitors get both versions of a changed file", async () => {
    const { write } = testedIndex(make);
    const seen: unknown[] = [];
    await write(async (writer) => {
      const more = { lineHashes: Uint32Array.from([1, 2]), watched: '{"uses":1}' };
      add(writer, "a.ts", "alpha", more);
      await writer.commit(PLAN);
      add(writer, "a.ts", "beta", { ...more, watched: '{"uses":2}', found: '{"at":5}' });
      await writer.commit({
        ...PLAN,
        match: ({ path, kind }, before, now) => {
          seen.push([path, kind, before?.watched, now?.watched, before?.found, now?.found]);
          return [];
        },
      });
    });
    expect(seen).toEqual([["a.ts", "changed", { uses: 1 }, { uses: 2 }, undefined, { at: 5 }]]);
  });
}
