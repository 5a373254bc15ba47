// No space, no right or no descriptor for a write: a clear error, the old generation continues to answer,
// no leftovers, and the next run completes it.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, onTestFinished } from "vitest";

import { bundledProgram } from "../../helpers/bundled-program.ts";
import { svcProgram } from "../../helpers/svc-program.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { smallDisk, type SmallDisk } from "../../credentials/faults/small-disk.ts";
import { promise, sized } from "../promise.ts";
import { type Answers, answersOf, NAMESPACE, projectFiles, runOver } from "./queried-index.ts";
import { needs } from "../../helpers/needs.ts";

const PROGRAM = bundledProgram(join(import.meta.dirname, "../../engine/fixtures/index-once.ts"));
const PAGE = 4096;

interface Grown {
  readonly root: string;
  readonly disk: SmallDisk;
  readonly data: string;
  /** Answers of the index of the first few files, queried when the others exist. */
  readonly old: Answers;
}

/** A disk with the index of some files; the other files were added since. */
async function grown(kibibytes: number): Promise<Grown> {
  const [few, all] = [tree(), projectFiles()];
  onTestFinished(few.dispose);
  const names = Object.keys(all).filter((name) => name.startsWith("docs/"));
  plant(few.path, Object.fromEntries(names.map((name) => [name, all[name] ?? ""])));
  const disk = smallDisk(kibibytes);
  const data = join(disk.root, "data");
  mkdirSync(data);
  await runOver(few.path, data);
  plant(few.path, all);
  return { root: few.path, disk, data, old: await answersOf(few.path, data) };
}

function bytesIn(path: string): number {
  const files = readdirSync(path, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

function setInodes(path: string, count: number): void {
  const { status } = spawnSync("mount", ["-o", `remount,nr_inodes=${count}`, path]);
  expect(status).toBe(0);
}

function leftovers(data: string): readonly string[] {
  const names = readdirSync(data, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".tmp"));
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
    return "done";
  } catch (thrown) {
    expect(thrown).toMatchObject({ hint: expect.stringMatching(/./) });
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "?";
  }
}

interface Fresh {
  readonly answers: Answers;
  /** Blocks of a disk that the index takes. */
  readonly blocks: number;
}

const places = [tree(), tree()] as const;
afterAll(() => places.forEach(({ dispose }) => dispose()));
let freshIndex: Promise<Fresh> | undefined;

/** An index of all the files that never lacked anything, for all tests: its answers name no folder. */
function fresh(): Promise<Fresh> {
  freshIndex ??= (async () => {
    const [root, data] = places;
    plant(root.path, projectFiles());
    await runOver(root.path, data.path);
    const blocks = Math.ceil(bytesIn(data.path) / PAGE);
    return { answers: await answersOf(root.path, data.path), blocks };
  })();
  return freshIndex;
}

/** Everything but scores, which depend on replaced files, is as in an index that never lacked space. */
function paths(answers: Answers): unknown {
  const {
    words: _words,
    name: _name,
    "rare words": _rare,
    related: _related,
    changes: _changes,
    ...rest
  } = answers;
  return rest;
}

needs(["mount"], () => {
  promise(
    [4],
    "a disk that fills up during an index run: STORAGE_FULL, the old index answers, and the next run completes it",
    async () => {
      const { root, disk, data, old } = await grown(32 << 10);
      const { answers, blocks } = await fresh();
      const used = (): number => statfsSync(disk.root).bfree;
      const shares = [0, 0.01, 0.05, 0.5, 0.95].slice(0, sized({ quick: 4, full: 5 }));
      const codes: string[] = [];
      for (const share of shares) {
        const ballast = join(disk.root, "ballast");
        writeFileSync(ballast, Buffer.alloc((used() - Math.floor(blocks * share)) * PAGE));
        // oxlint-disable-next-line no-await-in-loop -- one state of the disk after another
        codes.push(await codeOf(runOver(root, data)));
        expect([share, leftovers(data)]).toEqual([share, []]);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const now = await answersOf(root, data);
        // Generations published before the disk was full count; until then nothing changes.
        expect([share, now["symbol"]?.startsWith("INDEX_")]).toEqual([share, false]);
        if (share === 0) expect(now).toEqual(old);
        rmSync(ballast);
      }
      expect(codes.slice(0, 3)).toEqual(["STORAGE_FULL", "STORAGE_FULL", "STORAGE_FULL"]);
      await runOver(root, data);
      expect(paths(await answersOf(root, data))).toEqual(paths(answers));
      return shares.length;
    },
  );

  promise(
    [4, 6],
    "on a disk without inodes, and on a read-only disk, the old index answers and indexing reports the cause",
    async () => {
      const { root, disk, data, old } = await grown(16 << 10);
      const { files, ffree } = statfsSync(disk.root);
      setInodes(disk.root, files - ffree);
      // SQLite reports only that it cannot create a file.
      expect(await codeOf(runOver(root, data))).toMatch(/^(?:STORAGE_FULL|INDEX_UNAVAILABLE)$/);
      expect([await answersOf(root, data), leftovers(data)]).toEqual([old, []]);
      setInodes(disk.root, files);
      disk.remount("ro");
      expect(await codeOf(runOver(root, data))).toBe("INDEX_UNAVAILABLE");
      expect(await answersOf(root, data)).toEqual(old);
      const env = { ...process.env, SERVICE_HOME: data, SERVICE_PASSPHRASE: "correct horse" };
      const [program, ...words] = svcProgram();
      const run = spawnSync(program, [...words, "index", root], { env, encoding: "utf8" });
      expect([run.status, run.stdout, run.stderr]).toEqual([
        2,
        "",
        expect.stringMatching(/svc|data|write|read-only/i),
      ]);
      disk.remount("rw");
      await runOver(root, data);
      expect(paths(await answersOf(root, data))).toEqual(paths((await fresh()).answers));
      return 3;
    },
  );
});

promise(
  [4],
  "files that cannot grow, and too few descriptors, end a run with an error that gives the cause; the next run completes it",
  async () => {
    const { path: root, dispose } = tree(projectFiles());
    onTestFinished(dispose);
    const { answers } = await fresh();
    const limits = ["--fsize=65536", "--fsize=200000", "--nofile=22"];
    for (const limit of limits) {
      const data = tree();
      const source = { id: 1, namespace: NAMESPACE, root, prefix: "", include: [], exclude: [] };
      const job = { dataDirectory: data.path, namespace: NAMESPACE, sources: [source], waitMs: 0 };
      const words = [limit, process.execPath, PROGRAM, JSON.stringify({ ...job, rebuild: false })];
      const { stderr, status } = spawnSync("prlimit", words, { encoding: "utf8" });
      expect([limit, status, stderr]).toEqual([
        limit,
        1,
        expect.stringMatching(/STORAGE_FULL|INDEX_UNAVAILABLE|EMFILE/),
      ]);
      expect(leftovers(data.path)).toEqual([]);
      // oxlint-disable-next-line no-await-in-loop -- one limit after the other
      await runOver(root, data.path);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(paths(await answersOf(root, data.path))).toEqual(paths(answers));
      data.dispose();
    }
    return limits.length;
  },
);
