// `svc backend copy` between data directories and databases.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { manyWords } from "../helpers/many-words.ts";
import { notebookOf } from "../helpers/notebook-text.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { reportedRandom } from "../helpers/reported-random.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { runHere } from "../spec/commands-here.ts";
import { exitCode, startProgram, svc, type Place, type Run } from "../spec/program.ts";

const ZOO = { "zoo.md": "The aardvark sleeps.\n", "ape.ts": "export function swing(): void {}\n" };
const SLOW = 90_000;

interface Copied {
  readonly namespace: string;
  readonly sum: string;
  readonly copied: boolean;
  readonly changed_files: number;
}

const TIDES = notebookOf(["# High water"]);

async function copy(place: Place, from: string, to: string, ...flags: readonly string[]) {
  const places = ["--from", from, "--to", to, ...flags];
  return copiedIn(await runHere(place, {}, "backend", "copy", ...places, "--json"));
}

function copiedIn({ exit, stdout, stderr }: Run): readonly Copied[] {
  if (exit !== 0) throw new Error(stderr);
  const copied: readonly Copied[] = JSON.parse(stdout);
  return copied;
}

/** Starts a copy again and again, kills it each time, and then lets it end. */
async function copyDespiteKills(
  place: Place,
  random: () => number,
  ...places: readonly [from: string, to: string]
): Promise<readonly Copied[]> {
  const [from, to] = places;
  const words = ["backend", "copy", "--from", from, "--to", to, "--namespace", "zoo"];
  for (let kill = 0; kill < 5; kill += 1) {
    const child = startProgram(place, words);
    const ended = exitCode(child);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await Promise.race([delay(150 + random() * 850), ended]);
    child.kill("SIGKILL");
    // oxlint-disable-next-line no-await-in-loop -- as above
    await ended;
  }
  return copiedIn(await svc(place, ...words, "--json"));
}

needs(["postgres"], () => {
  const server = serverForTests();

  test(
    "a machine gives its indexes to a database that has others, and they go on there",
    async () => {
      const SERVICE_BACKEND = server.freshUrl();
      const env = { SERVICE_BACKEND };
      // The sources of both have the number 1.
      const [one, team, reader] = [
        placeWith(ZOO),
        placeWith({ "farm.md": "The pig eats.\n" }),
        placeWith(),
      ];
      await runHere(team, env, "index", team.root, "--namespace", "farm");
      await runHere(one, {}, "index", one.root, "--namespace", "zoo");
      writeFileSync(join(one.root, "ape.ts"), "export function climb(): void {}\n");

      const [copied, ...others] = await copy(one, "files", SERVICE_BACKEND);
      expect(others).toEqual([]);
      expect(copied).toMatchObject({ namespace: "zoo", files: 2, copied: true, changed_files: 1 });
      expect(await copy(one, "files", SERVICE_BACKEND)).toEqual([
        { ...copied, copied: false, changed_files: 0 },
      ]);
      const search = async (word: string, namespace: string) =>
        (await runHere(reader, env, "search", word, "--namespace", namespace)).stdout;
      expect(await search("aardvark", "zoo")).toContain("The aardvark sleeps.");
      expect(await search("pig", "farm")).toContain("The pig eats.");

      // The next run in the database finds the later changes, and nothing else.
      const updated = await runHere(one, env, "index", one.root, "--namespace", "zoo");
      expect(updated.stdout).toContain("0 added, 1 changed, 0 removed, 1 unchanged.");
      expect(await search("climb", "zoo")).toContain("climb");
      const changes = await runHere(one, env, "changes", "--namespace", "zoo");
      expect([changes.exit, changes.stderr]).toEqual([0, ""]);
      expect(changes.stdout).toContain("ape.ts");
      expect(changes.stdout).not.toContain("zoo.md");
      expect((await runHere(one, env, "backend", "check")).stdout).toBe(
        "farm: intact (1 files).\nzoo: intact (2 files).\n",
      );
      // The machine's earlier data is unchanged.
      expect((await runHere(one, {}, "index", "--verify", one.root)).exit).toBe(0);
    },
    SLOW,
  );

  test(
    "a copy out of a database and one between databases are equal to the original",
    async () => {
      const [first, second] = [server.freshUrl(), server.freshUrl()];
      const files = { ...manyWords(), ...ZOO, "tides.ipynb": TIDES };
      const [owner, laptop] = [placeWith(files), placeWith()];
      await runHere(owner, { SERVICE_BACKEND: first }, "index", owner.root, "--namespace", "zoo");
      const [between] = await copy(laptop, first, second);
      const [out] = await copy(laptop, second, "files", "--namespace", "zoo");
      expect(out?.sum).toBe(between?.sum);
      // The folder is on this machine.
      const found = await runHere(laptop, {}, "search", "aardvark", "--namespace", "zoo");
      expect(found.stdout).toContain("The aardvark sleeps.");
      for (const env of [{}, { SERVICE_BACKEND: second }]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const read = await runHere(laptop, env, "read", "tides.ipynb:cell 1", "--namespace", "zoo");
        expect(read.stdout).toContain("High water");
      }
      // As after a copy that was killed before the documents.
      const documents = join(laptop.home, "data/namespaces/zoo/documents");
      rmSync(documents, { recursive: true });
      await copy(laptop, second, "files", "--namespace", "zoo");
      expect(readdirSync(documents)).toHaveLength(1);
      expect((await runHere(laptop, {}, "backend", "check")).stdout).toMatch(/^zoo: intact/);
      const SERVICE_BACKEND = second;
      expect((await runHere(laptop, { SERVICE_BACKEND }, "backend", "check")).stdout).toMatch(
        /^zoo: intact/,
      );
    },
    SLOW,
  );

  test(
    "copies into a database and out of it that are killed at any moment go on, and their sums are equal",
    async () => {
      const random = reportedRandom("kills of copies");
      const url = server.freshUrl();
      const [owner, laptop] = [placeWith({ ...manyWords(), ...ZOO }), placeWith()];
      await runHere(owner, {}, "index", owner.root, "--namespace", "zoo");
      const [into] = await copyDespiteKills(owner, random, "files", url);
      expect(into).toMatchObject({ namespace: "zoo", changed_files: 0 });
      const [out] = await copyDespiteKills(laptop, random, url, "files");
      expect(out?.sum).toBe(into?.sum);
      for (const [place, env] of [
        [placeWith(), { SERVICE_BACKEND: url }],
        [laptop, {}],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const checked = await runHere(place, env, "backend", "check");
        expect(checked.stdout).toBe("zoo: intact (10 files).\n");
      }
    },
    SLOW,
  );

  test(
    "texts that an interrupted copy has stored are not read again",
    async () => {
      const url = server.freshUrl();
      const owner = placeWith(ZOO);
      await runHere(owner, {}, "index", owner.root, "--namespace", "zoo");
      await copy(owner, "files", url);
      for (const table of ["index_head", "index_commit", "index_object", "index_part"]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await server.open(url).query(`DELETE FROM ${table}`);
      }
      writeFileSync(join(owner.root, "ape.ts"), "");
      expect(await copy(owner, "files", url)).toMatchObject([
        { namespace: "zoo", files: 2, copied: true, changed_files: 0 },
      ]);
      const found = ["search", "swing", "--namespace", "zoo"];
      const { stdout } = await runHere(placeWith(), { SERVICE_BACKEND: url }, ...found);
      expect(stdout).toContain("export function swing(): void {}");
    },
    SLOW,
  );

  test("another index of the same name is refused, and so is a copy to itself", async () => {
    const url = server.freshUrl();
    const [one, other] = [placeWith(ZOO), placeWith({ "zoo.md": "The gnu eats.\n" })];
    await runHere(other, { SERVICE_BACKEND: url }, "index", other.root, "--namespace", "zoo");
    await runHere(one, {}, "index", one.root, "--namespace", "zoo");
    const run = (...words: readonly string[]) => runHere(one, {}, "backend", "copy", ...words);
    expect(failureOf(await run("--from", "files", "--to", url))).toEqual([
      2,
      expect.stringContaining('The target has another index of "zoo".'),
      expect.stringContaining("svc namespaces remove zoo"),
    ]);
    expect(failureOf(await run("--from", url, "--to", url))[1]).toContain("the same place");
    const none = await run("--from", "files", "--to", url, "--namespace", "farm");
    expect(failureOf(none)[1]).toContain('There is no namespace "farm"');
  }, 60_000);
});
