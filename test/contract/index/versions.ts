import { expect, test } from "vitest";

import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { plainFile } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { LARGE, NAMESPACE, openWriter, testedIndex, type MakeBackends } from "./tested-index.ts";

const PLAN = { sources: new Map([[1, ""]]), completeSources: new Set([1]), match: () => [] };
const UNAVAILABLE = { code: "INDEX_UNAVAILABLE", hint: expect.stringMatching(/.+/) };

/** Versions, and the information about an index that backends report. */
export function versionsContract(make: MakeBackends): void {
  test("before the first write there is nothing to read", async () => {
    const { one } = make();
    const namespace = authorized(NAMESPACE);
    expect(await one.reader(namespace)).toBeUndefined();
    expect(await one.changeLog(namespace)).toBeUndefined();
    expect(await one.verify(namespace)).toBeUndefined();
    expect(await one.isFirstBuildPending(NAMESPACE)).toBe(true);
    expect(await one.health(NAMESPACE)).toEqual({ isBeingWritten: false, damage: undefined });
    expect(await one.isOutdated(NAMESPACE)).toBe(false);
    expect(one.detach(NAMESPACE)).toBeUndefined();
  });

  test("an empty first commit creates an index, and a later one no new version", async () => {
    const { write, read, picture } = testedIndex(make);
    const first = await write((writer) => writer.commit());
    expect(first).toMatchObject({ at: 1, epoch: expect.stringMatching(/.+/) });
    expect(await write((writer) => writer.commit())).toEqual(first);
    const reader = await read();
    expect([reader.version, reader.hasWords]).toEqual([first, false]);
    expect(await picture()).toEqual({});
  });

  test("each commit is the next generation, and another process sees it with its next reader", async () => {
    const { commit, read } = testedIndex(make);
    const first = await commit({ "a.ts": "alpha" });
    const before = await read();
    const second = await commit({ "a.ts": "beta" });
    const after = await read();
    expect([first.at, second]).toEqual([1, { ...first, at: 2 }]);
    expect([before.version, after.version]).toEqual([first, second]);
    expect(await pathsWith(after, "beta")).toEqual(["a.ts"]);
    expect(await pathsWith(after, "alpha")).toEqual([]);
  });

  test.each([0, LARGE])(
    "a reader keeps its version while another process commits (%i bytes)",
    async (ballast) => {
      const { commit, read, write } = testedIndex(make);
      const version = await commit({ "a.ts": "alpha", "b.ts": "common" }, ballast);
      const reader = await read();
      await commit({ "a.ts": "beta", "c.ts": "common" }, ballast);
      await write(async (writer) => {
        writer.remove("b.ts");
        await writer.commit();
        // oxlint-disable-next-line no-await-in-loop -- one merge after the other
        while (await writer.merge());
        await writer.collect();
      });
      expect(reader.version).toEqual(version);
      expect(await pathsWith(reader, "common")).toEqual(["b.ts"]);
      expect((await reader.symbolsNamed("alpha", 5)).map(({ path }) => path)).toEqual(["a.ts"]);
      expect(await reader.symbolsNamed("beta", 5)).toEqual([]);
      expect(await reader.termCounts(["alpha", "beta"])).toEqual([1, 0]);
      expect(await pathsWith(await read(), "common")).toEqual(["c.ts"]);
    },
  );

  test("a reader sees at least the version that it requires, or there is none", async () => {
    const { commit, read } = testedIndex(make);
    const version = await commit({ "a.ts": "alpha" });
    expect((await read({ atLeast: version })).version).toEqual(version);
    expect((await read({ atLeast: { ...version, at: 0 } })).version).toEqual(version);
    await expect(read({ atLeast: { ...version, at: 2 } })).rejects.toMatchObject(UNAVAILABLE);
    const foreign = { ...version, epoch: "before" };
    await expect(read({ atLeast: foreign })).rejects.toMatchObject(UNAVAILABLE);
  });

  test("an index that is put in quarantine begins another epoch, and keeps its change log", async () => {
    const { write, read, commit, picture } = testedIndex(make);
    const { epoch } = await write(async (writer) => {
      writer.add(...plainVersion("a.ts", "alpha"));
      return writer.commit(PLAN);
    });
    const { id, last } = await (await read()).changeLog.state();
    await write(async (writer) => expect(await writer.files()).toEqual(new Map()), {
      quarantine: "all",
    });
    expect(await picture()).toEqual({});
    const version = await commit({ "b.ts": "beta" });
    expect(version.epoch).not.toBe(epoch);
    // The change log has numbers of generations of the epoch before.
    expect(version.at).toBe(2);
    expect(await (await read()).changeLog.state()).toMatchObject({ id, last });
    expect(await picture()).toEqual({ "b.ts": "beta" });
    await expect(read({ atLeast: { epoch, at: 1 } })).rejects.toMatchObject(UNAVAILABLE);
  });

  test("a quarantine of damage leaves an intact index", async () => {
    const { commit, write, picture } = testedIndex(make);
    const version = await commit({ "a.ts": "alpha" });
    for (const quarantine of ["damaged", "newer"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one writer after the other
      expect(await write((writer) => writer.commit(), { quarantine })).toEqual(version);
    }
    expect(await picture()).toEqual({ "a.ts": "alpha" });
  });

  test("commits of another process are reported until the caller stops", async () => {
    const { commit, other } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    const counts = [0, 0];
    const stops = counts.map((_, at) =>
      other.watch(NAMESPACE, () => void (counts[at] = (counts[at] ?? 0) + 1)),
    );
    await commit({ "b.ts": "beta" });
    await expect.poll(() => counts.every((count) => count > 0)).toBe(true);
    stops[0]?.();
    const before = [...counts];
    await commit({ "c.ts": "gamma" });
    await expect.poll(() => counts[1]).toBeGreaterThan(before[1] ?? 0);
    expect(counts[0]).toBe(before[0]);
    stops[1]?.();
  });

  test("all processes see that an index is being written", async () => {
    const { one, other } = testedIndex(make);
    const isBeingWritten = async (): Promise<readonly boolean[]> => {
      const states = await Promise.all([one.health(NAMESPACE), other.health(NAMESPACE)]);
      return states.map((health) => health.isBeingWritten);
    };
    const writer = await openWriter(one);
    expect(await isBeingWritten()).toEqual([true, true]);
    await writer.close();
    expect(await isBeingWritten()).toEqual([false, false]);
  });

  test("damage is reported to all processes until it is cleared", async () => {
    const { commit, one, other } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    await one.reportDamage(NAMESPACE, "A page is damaged.");
    expect((await other.health(NAMESPACE)).damage).toBe("A page is damaged.");
    expect((await one.health("elsewhere")).damage).toBeUndefined();
    await other.clearDamage(NAMESPACE);
    expect((await one.health(NAMESPACE)).damage).toBeUndefined();
  });

  test("a first build is pending until every listed file has been read", async () => {
    const { write, commit, other } = testedIndex(make);
    const isPending = (): Promise<boolean> => other.isFirstBuildPending(NAMESPACE);
    await write(async (writer) => {
      const { state } = plainFile("a.ts", "alpha");
      writer.put({ ...state, stage: "listed", hash: "", chunks: 0, symbols: 0 });
      await writer.commit();
    });
    expect(await isPending()).toBe(true);
    await commit({ "b.ts": "beta" });
    expect(await isPending()).toBe(true);
    await commit({ "a.ts": "alpha" });
    expect(await isPending()).toBe(false);
  });

  test("an intact index has no damaged parts", async () => {
    const { commit, read, other } = testedIndex(make);
    await commit({ "a.ts": "alpha" }, LARGE);
    await commit({ "b.ts": "beta" });
    expect(await other.verify(authorized(NAMESPACE))).toEqual([]);
    expect(await (await read()).verify()).toEqual([]);
  });

  test("a detached index is opened again by the next reader, and its readers work until it is closed", async () => {
    const { commit, read, other } = testedIndex(make);
    await commit({ "a.ts": "alpha" }, LARGE);
    const before = await read();
    const close = other.detach(NAMESPACE);
    expect(close).toBeDefined();
    expect(other.detach(NAMESPACE)).toBeUndefined();
    expect((await before.symbolsNamed("alpha", 5)).map(({ path }) => path)).toEqual(["a.ts"]);
    close?.();
    expect(await pathsWith(await read(), "alpha")).toEqual(["a.ts"]);
  });

  test("namespaces are separate", async () => {
    const { commit, one, other } = testedIndex(make);
    await commit({ "a.ts": "alpha" });
    expect(await other.reader(authorized("elsewhere"))).toBeUndefined();
    const writer = await one.writer("elsewhere", { waitMs: 0 });
    expect(await writer?.files()).toEqual(new Map());
    await writer?.close();
  });
}

function plainVersion(path: string, name: string) {
  const { state, content } = plainFile(path, name);
  const version = {
    fingerprints: new Uint8Array(),
    lineHashes: undefined,
    watched: undefined,
    found: undefined,
  };
  return [state, content, version] as const;
}
