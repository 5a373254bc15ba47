// An index that starts from a server's index, and later fetches more from there.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { fetchedLayout } from "../../../src/index/embedded/fetched-layout.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { offerOf, type RecordedOffer } from "../../helpers/index-offer.ts";
import { createProject, request } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";
import {
  answersOf,
  engineOnDisk,
  indexed,
  moduleOf,
  modules,
  recordedFiles,
  repositoryOf,
} from "../fixtures/worktrees.ts";

const COUNT = 60;
const WORDS = ["marmot3a", "marmot3b", "helper4", "only3a", "only99a", "token5a", "marmot20c"];
/** Bits of `flags` for a file without secrets. svc does not trust the server's bits. */
const withoutVerdict = (rows: readonly unknown[]): readonly unknown[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of the catalogue
  (rows as readonly { flags: number }[]).map((row) => ({ ...row, flags: row.flags & 0xf }));

function fromServer(
  { engine }: Pick<ReturnType<typeof engineOnDisk>, "engine">,
  source: string,
  offer: RecordedOffer,
) {
  return engine.index({ ...request(), source, namespace: "laptop", offer });
}

/** The same commit on a server and on a laptop that do not know each other. */
async function machines() {
  const trees = repositoryOf(modules(COUNT));
  const place = tree();
  onTestFinished(place.dispose);
  const folder = join(place.path, "laptop");
  execFileSync("git", ["clone", "-q", trees.main.path, folder]);
  const [server, laptop] = [engineOnDisk(), engineOnDisk()];
  await indexed(server, trees.main.path, "project");
  return { main: trees.main.path, folder, server, laptop };
}

function segmentsOf(data: string, namespace: string): readonly string[] {
  const catalog = Catalog.openToRead(indexLayout(data, namespace).catalog);
  const names = catalog?.segments.all().map(({ name }) => name) ?? [];
  catalog?.close();
  return names;
}

test("it answers as a fresh index: changed files are its own, and a pull takes what the server has", async () => {
  const { main, folder, server, laptop } = await machines();
  plant(folder, {
    "src/m3.ts": moduleOf(3, "b"),
    "src/m99.ts": moduleOf(99),
    "docs/n.md": "# Zebu\n",
  });
  rmSync(join(folder, "src/m5.ts"));
  const first = await fromServer(laptop, folder, offerOf(server.engine, "project"));
  expect(first.fetchedBytes).toBeGreaterThan(0);
  expect(first.report).toMatchObject({ isStarted: true, added: 3, unchanged: COUNT - 2 });
  expect(first.status.started_from).toEqual({
    namespace: "project at the server",
    same: COUNT - 2,
    files: COUNT + 1,
  });
  const fresh = engineOnDisk();
  await indexed(fresh, folder, "laptop");
  const compare = async (): Promise<void> => {
    expect(withoutVerdict(recordedFiles(laptop.data, "laptop"))).toEqual(
      withoutVerdict(recordedFiles(fresh.data, "laptop")),
    );
    expect(await answersOf(laptop, "laptop", WORDS)).toEqual(
      await answersOf(fresh, "laptop", WORDS),
    );
  };
  await compare();
  // The server moves on by 30 files, and so does the laptop, except for one file that it changed.
  const pulled = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`src/m${at + 10}.ts`, moduleOf(at + 10, "c")]),
  );
  plant(main, pulled);
  await indexed(server, main, "project");
  plant(folder, { ...pulled, "src/m11.ts": moduleOf(11, "d") });
  const second = await fromServer(laptop, folder, offerOf(server.engine, "project"));
  expect(second.report).toMatchObject({ added: 0, changed: 30, removed: 0 });
  await indexed(fresh, folder, "laptop");
  await compare();
  expect(await laptop.engine.verify({ ...request(), source: folder })).toMatchObject({
    damage: [],
  });
  const changes = await laptop.engine.changes({
    ...request(),
    namespace: "laptop",
    limit: 100,
    waitMs: 0,
  });
  expect(changes.changes.map(({ path }) => path)).toContain("src/m20.ts");
  await laptop.engine.removeNamespace({ ...request(), namespace: "laptop" });
  expect(segmentsOf(laptop.data, "laptop")).toEqual([]);
}, 120_000);

test("a pull after a fetch needs no server", async () => {
  const { main, folder, server, laptop } = await machines();
  await fromServer(laptop, folder, offerOf(server.engine, "project"));
  const pulled = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`src/m${at}.ts`, moduleOf(at, "e")]),
  );
  plant(main, pulled);
  await indexed(server, main, "project");
  // Fetched before the pull: nothing here has this content yet.
  const early = await fromServer(laptop, folder, offerOf(server.engine, "project"));
  expect(early.report).toMatchObject({ changed: 0, unchanged: COUNT });
  expect(await answersOf(laptop, "laptop", ["marmot7e"])).toMatchObject([{ text: [] }]);
  plant(folder, pulled);
  const before = segmentsOf(laptop.data, "laptop");
  const { report } = await indexed(laptop, folder, "laptop");
  expect(report).toMatchObject({ changed: 30 });
  const offered = Catalog.openToRead(fetchedLayout(indexLayout(laptop.data, "laptop")).catalog);
  const names = offered?.segments.all().map(({ name }) => name) ?? [];
  offered?.close();
  const now = segmentsOf(laptop.data, "laptop").filter((name) => !before.includes(name));
  expect(now.every((name) => names.includes(name))).toBe(true);
  expect(await answersOf(laptop, "laptop", ["marmot7e"])).toMatchObject([
    { text: [{ path: "src/m7.ts" }] },
  ]);
}, 120_000);

test("server and laptop go back and forth together, and share all segments", async () => {
  const { main, folder, server, laptop } = await machines();
  await fromServer(laptop, folder, offerOf(server.engine, "project"));
  for (const edition of ["f", "a", "g", "a", "f"]) {
    const pulled = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`src/m${at}.ts`, moduleOf(at, edition)]),
    );
    plant(main, pulled);
    plant(folder, pulled);
    /* oxlint-disable no-await-in-loop -- one version after the other */
    await indexed(server, main, "project");
    const { report } = await fromServer(laptop, folder, offerOf(server.engine, "project"));
    expect([edition, report?.changed]).toEqual([edition, 20]);
    expect(await answersOf(laptop, "laptop", [`marmot7${edition}`])).toMatchObject([
      { text: [{ path: "src/m7.ts" }], symbols: [] },
    ]);
    const { damage } = await laptop.engine.verify({ ...request(), source: folder });
    /* oxlint-enable no-await-in-loop */
    expect([edition, damage]).toEqual([edition, []]);
  }
}, 120_000);

test("a server of another project is of no use, and of no harm", async () => {
  const { folder, laptop } = await machines();
  const other = engineOnDisk();
  const files = tree({ "src/m1.ts": moduleOf(1, "z"), "README.md": "# Other\n" });
  onTestFinished(files.dispose);
  await indexed(other, files.path, "other");
  const { report, status } = await fromServer(laptop, folder, offerOf(other.engine, "other"));
  expect(report).toMatchObject({ added: COUNT, unchanged: 0 });
  expect(status).not.toHaveProperty("started_from");
  expect(await answersOf(laptop, "laptop", ["marmot1z"])).toMatchObject([
    { text: [], symbols: [] },
  ]);
}, 120_000);

test("a server cannot have the secrets of this machine shown", async () => {
  const secret = "AKIAZ7Q4MFJ2K9PLW3XD";
  const files = { "src/keys.ts": `export const key = "${secret}"; // the heron's key\n` };
  const [server, laptop] = [engineOnDisk(), engineOnDisk()];
  const [there, here] = [tree(files), tree(files)];
  for (const one of [there, here]) onTestFinished(one.dispose);
  await indexed(server, there.path, "project");
  const claim = 0xfff0;
  const offer = offerOf(server.engine, "project", {
    list: (index) => ({
      ...index,
      files: index.files.map(([path, hash, size, language, role, , ...rest]) => {
        return [path, hash, size, language, role, claim, ...rest] as const;
      }),
    }),
  });
  const { report } = await fromServer(laptop, here.path, offer);
  expect(report).toMatchObject({ isStarted: true, added: 0 });
  const [answer] = await answersOf(laptop, "laptop", ["heron"]);
  expect(JSON.stringify(answer)).toContain("keys.ts");
  expect(JSON.stringify(answer)).not.toContain(secret);
}, 120_000);

test("damage ends the use of what was fetched: the files are read", async () => {
  const { folder, server, laptop } = await machines();
  await fromServer(laptop, folder, offerOf(server.engine, "project"));
  const layout = indexLayout(laptop.data, "laptop");
  const [name = ""] = segmentsOf(laptop.data, "laptop");
  const file = join(layout.segments, name);
  const bytes = readFileSync(file);
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  // Both names refer to one file.
  writeFileSync(file, bytes);
  const source = { ...request(), source: folder };
  expect((await laptop.engine.verify(source)).damage).not.toEqual([]);
  const { report } = await indexed(laptop, folder, "laptop", { rebuild: true });
  expect(report).toMatchObject({ added: COUNT });
  expect(existsSync(layout.fetched)).toBe(false);
  expect((await laptop.engine.verify(source)).damage).toEqual([]);
}, 120_000);

test("an index that is not in files cannot start from a server", async () => {
  const { folder, server } = await machines();
  const inMemory = createProject({});
  onTestFinished(inMemory.dispose);
  const offer = offerOf(server.engine, "project");
  await expect(
    inMemory.engine.index({ ...request(), source: folder, namespace: "laptop", offer }),
  ).rejects.toMatchObject({
    code: "USAGE",
    hint: expect.stringContaining("without --from-remote"),
  });
  expect(offer.known).toEqual([]);
});
