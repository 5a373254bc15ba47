import { expect, test } from "vitest";

import type { IndexWriter } from "../../../src/index/port.ts";
import { addPlain, plainFile } from "../../engine/fixtures/plain-file.ts";
import { NAMESPACE, openWriter, testedIndex, type MakeBackends } from "./tested-index.ts";

const UNAVAILABLE = { code: "INDEX_UNAVAILABLE", hint: expect.stringMatching(/.+/) };
const COMPLETE = { sources: new Map([[1, ""]]), completeSources: new Set([1]) };

/** Writers in turn, a writer that lost its lock, and refused transactions. */
export function writersContract(make: MakeBackends): void {
  test("there is one writer at a time: another one waits, or gets undefined without a wait", async () => {
    const { one, other } = make();
    const first = await openWriter(one);
    expect(await other.writer(NAMESPACE, { waitMs: 0 })).toBeUndefined();
    expect(await other.writer(NAMESPACE, { waitMs: 30 })).toBeUndefined();
    const waiting = other.writer(NAMESPACE, { waitMs: 20_000 });
    setTimeout(() => void first.close(), 50);
    const second = await waiting;
    expect(second).toBeDefined();
    await second?.close();
    // Another namespace has its own lock.
    const both = await Promise.all(["one", "two"].map((name) => other.writer(name, { waitMs: 0 })));
    expect(both).not.toContain(undefined);
    await Promise.all(both.map(async (writer) => writer?.close()));
  });

  test("a writer has a larger number than each one that has committed before", async () => {
    const { one, other, write } = testedIndex(make);
    const fences: number[] = [];
    for (const backend of [one, other, one]) {
      // oxlint-disable-next-line no-await-in-loop -- one writer after the other
      const writer = await openWriter(backend);
      fences.push(writer.fence);
      addPlain(writer, { [`${fences.length}.ts`]: "alpha" });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await writer.commit();
      await writer.close();
    }
    await write(async ({ fence }) => void fences.push(fence), { quarantine: "all" });
    expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
  });

  test("a writer that has lost its place cannot write any more, and its successor can", async () => {
    const { one, other, commit, picture, revokeWriter } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    const late = await openWriter(one);
    addPlain(late, { "late.ts": "late" });
    await revokeWriter();
    const successor = await openWriter(other);
    addPlain(successor, { "b.ts": "beta" });
    const version = await successor.commit();
    await expect(late.commit()).rejects.toMatchObject(UNAVAILABLE);
    await expect(late.computePageRank()).rejects.toMatchObject(UNAVAILABLE);
    await expect(late.monitorState.change(() => {})).rejects.toMatchObject(UNAVAILABLE);
    late.setNote("late", "note");
    await expect(late.commit()).rejects.toMatchObject(UNAVAILABLE);
    // Its end does not free the lock of the successor.
    await late.close();
    expect(await one.writer(NAMESPACE, { waitMs: 0 })).toBeUndefined();
    expect([successor.note("late"), await successor.commit()]).toEqual([undefined, version]);
    addPlain(successor, { "c.ts": "gamma" });
    await successor.commit();
    await successor.close();
    expect(await picture()).toEqual({ "a.ts": "alpha", "b.ts": "beta", "c.ts": "gamma" });
  });

  test("a writer that has lost its place cannot write into the index that another one begins again", async () => {
    const { one, other, commit, picture, revokeWriter } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    const late = await openWriter(one);
    addPlain(late, { "b.ts": "beta" });
    await late.commit();
    addPlain(late, { "late.ts": "late" });
    await revokeWriter();
    const successor = await openWriter(other, { quarantine: "all" });
    await expect(late.commit()).rejects.toMatchObject(UNAVAILABLE);
    await late.close();
    addPlain(successor, { "c.ts": "gamma" });
    await successor.commit();
    await successor.close();
    expect(await picture()).toEqual({ "c.ts": "gamma" });
  });

  test("of a writer that has lost its place and comes first, and its successor, one can commit", async () => {
    const { one, other, picture, revokeWriter } = testedIndex(make);
    const late = await openWriter(one);
    await revokeWriter();
    const successor = await openWriter(other);
    addPlain(late, { "a.ts": "alpha" });
    const first = await outcomeOf(late.commit());
    addPlain(successor, { "b.ts": "beta" });
    const second = await outcomeOf(successor.commit());
    await late.close();
    await successor.close();
    // A backend with locks refuses the second, one with leases the first.
    const isFirst = first === "committed";
    expect(isFirst ? second : first).toMatchObject(UNAVAILABLE);
    expect(isFirst ? first : second).toBe("committed");
    expect(await picture()).toEqual(isFirst ? { "a.ts": "alpha" } : { "b.ts": "beta" });
  });

  test("nothing is visible before the step before the commit has ended", async () => {
    const { one, commit, read, picture } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    const { promise: mayCommit, resolve: allow } = Promise.withResolvers<undefined>();
    const { promise: isReached, resolve: reach } = Promise.withResolvers<undefined>();
    const writer = await openWriter(one, {
      beforeCommit: async () => {
        reach(undefined);
        await mayCommit;
      },
    });
    addPlain(writer, { "a.ts": "beta", "b.ts": "beta" });
    const committed = writer.commit();
    await isReached;
    expect((await read()).version.at).toBe(1);
    expect(await picture()).toEqual({ "a.ts": "alpha" });
    allow(undefined);
    expect(await committed).toEqual((await read()).version);
    await writer.close();
    expect(await picture()).toEqual({ "a.ts": "beta", "b.ts": "beta" });
  });

  test("the step before the commit precedes each kind of transaction", async () => {
    const { write, commit } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    let steps = 0;
    const stepsOf = async (run: () => Promise<unknown>): Promise<number> => {
      const before = steps;
      await run();
      return steps - before;
    };
    const counts = await write(
      async (writer) => [
        await stepsOf(() => writer.commit()),
        await stepsOf(() => {
          addPlain(writer, { "b.ts": "beta" });
          return writer.commit();
        }),
        await stepsOf(() => {
          writer.setNote("seen", "b");
          return writer.commit();
        }),
        await stepsOf(() => writer.computePageRank()),
        await stepsOf(() => writer.monitorState.change(({ setNote }) => setNote("seen", "b"))),
      ],
      { beforeCommit: async () => void (steps += 1) },
    );
    expect(counts).toEqual([0, 1, 1, 1, 1]);
  });

  test.each<[string, (writer: IndexWriter) => Promise<unknown>]>([
    ["a commit", (writer) => writer.commit()],
    ["a commit with changes", (writer) => writer.commit({ ...COMPLETE, match: () => [] })],
    ["a note of a monitor", (writer) => writer.monitorState.change((to) => to.setNote("a", "b"))],
    ["page rank", (writer) => writer.computePageRank()],
  ])("%s that is refused leaves the index as it was", async (_, run) => {
    const { write, commit, read, picture } = testedIndex(make);
    const before = await commit({ "a.ts": "alpha", "b.ts": "beta" });
    const refusal = new Error("refused");
    await write(
      async (writer) => {
        addPlain(writer, { "a.ts": "alef", "c.ts": "gamma" });
        writer.remove("b.ts");
        writer.setNote("seen", "c");
        writer.touch(plainFile("b.ts", "beta").state);
        await expect(run(writer)).rejects.toBe(refusal);
      },
      { beforeCommit: () => Promise.reject(refusal) },
    );
    const reader = await read();
    expect([reader.version, await reader.rankVersion()]).toEqual([before, 0]);
    expect((await reader.changeLog.state()).last).toBe(0);
    expect(await picture()).toEqual({ "a.ts": "alpha", "b.ts": "beta" });
    await write(async (writer) => {
      expect([writer.note("seen"), writer.monitorState.note("a")]).toEqual([undefined, undefined]);
    });
    expect(await commit({ "c.ts": "gamma" })).toEqual({ ...before, at: 2 });
    expect(await picture()).toEqual({ "a.ts": "alpha", "b.ts": "beta", "c.ts": "gamma" });
  });

  test("an error in the middle of a commit leaves the index as it was", async () => {
    const { write, commit, read, picture } = testedIndex(make);
    const version = { lineHashes: undefined, watched: undefined, found: undefined };
    const fingerprints = new Uint8Array();
    const { state, content } = plainFile("a.ts", "alpha");
    const before = await write(async (writer) => {
      writer.add(state, content, { ...version, fingerprints });
      return writer.commit({ ...COMPLETE, match: () => [] });
    });
    const failure = new Error("no match");
    await write(async (writer) => {
      const again = plainFile("a.ts", "alef");
      writer.add(again.state, again.content, { ...version, fingerprints });
      addPlain(writer, { "b.ts": "beta" });
      writer.setNote("seen", "b");
      const match = (): never => {
        throw failure;
      };
      await expect(writer.commit({ ...COMPLETE, match })).rejects.toBe(failure);
    });
    const reader = await read();
    expect([reader.version, (await reader.changeLog.state()).last]).toEqual([before, 1]);
    expect(await picture()).toEqual({ "a.ts": "alpha" });
    expect(await write(async (writer) => writer.note("seen"))).toBeUndefined();
    expect(await commit({ "b.ts": "beta" })).toEqual({ ...before, at: 2 });
  });

  test("a closed writer cannot write", async () => {
    const { one, read } = testedIndex(make);
    const writer = await openWriter(one);
    addPlain(writer, { "a.ts": "alpha" });
    const before = await writer.commit();
    await writer.close();
    await expect(writer.commit()).rejects.toThrow(/closed|not open|finalized/);
    expect((await read()).version).toEqual(before);
  });
}

/** Returns "committed", or the error of a commit that was refused. */
function outcomeOf(commit: Promise<unknown>): Promise<unknown> {
  return commit.then(
    () => "committed",
    (thrown: unknown) => thrown,
  );
}
