// Two machines that share a PostgreSQL database: SERVICE_BACKEND and --backend.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../helpers/git-repository.ts";
import { manyWords } from "../helpers/many-words.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { runHere } from "../spec/commands-here.ts";
import { svc, svcWith, type Place } from "../spec/program.ts";

/** Appends the URL of each module that a program loads, also in its threads, to the file MODULE_LIST. */
const LIST_MODULES = pathToFileURL(join(import.meta.dirname, "fixtures/list-modules.ts")).href;
const FILES = { "zoo/aardvark.md": "# Aardvark\n\nThe aardvark sleeps at noon.\n" };

needs(["postgres"], () => {
  const server = serverForTests();

  test("what one machine indexes, another searches, also without the files", async () => {
    const SERVICE_BACKEND = server.freshUrl();
    const [one, other] = [placeWith(FILES), placeWith()];
    const indexed = await svcWith(one, { SERVICE_BACKEND }, "index", ".", "--namespace", "zoo");
    expect(indexed).toMatchObject({ exit: 0, stderr: "" });
    expect(existsSync(join(one.home, "data", "namespaces"))).toBe(false);
    renameSync(join(one.root, "zoo"), join(one.home, "zoo"));

    const search = ["search", "sleeping aardvark", "--namespace", "zoo"];
    const found = await svcWith(other, { SERVICE_BACKEND }, ...search);
    expect(found.exit).toBe(0);
    expect(found.stdout).toContain("The aardvark sleeps at noon.");
    const listed = await svc(other, "namespaces", "list", "--backend", SERVICE_BACKEND);
    expect(listed.stdout).toBe(`zoo  1 file  ${one.root}\n`);
    // Without the setting, the machine has nothing.
    expect((await svc(other, "namespaces", "list")).stderr).toContain("Nothing is indexed yet");
  });

  test("a repository that one machine has indexed by its URL, any machine updates", async () => {
    const SERVICE_BACKEND = server.freshUrl();
    const [one, other] = [placeWith(), placeWith()];
    const origin = gitRepository();
    onTestFinished(origin.dispose);
    const files = Array.from({ length: 200 }, (_, at) => [`${at}.md`, `# File ${at}\n`] as const);
    origin.commit({ ...Object.fromEntries(files), "zoo.md": "The aardvark sleeps.\n" });
    const index = ["index", `file://${origin.path}`, "--namespace", "zoo"];
    const search = (place: Place, word: string) =>
      runHere(place, { SERVICE_BACKEND }, "search", word, "--namespace", "zoo");
    expect((await runHere(one, { SERVICE_BACKEND }, ...index)).exit).toBe(0);
    origin.commit({ "zoo.md": "The antelope runs.\n" });

    const updated = await runHere(other, { SERVICE_BACKEND }, ...index);
    expect(updated.stdout).toContain("0 added, 1 changed, 0 removed, 200 unchanged.");
    // Files are known by their blobs: the inodes and times of another machine change no row.
    const [commit] = await server
      .open(SERVICE_BACKEND)
      .query("SELECT length(changes) AS bytes FROM index_commit ORDER BY generation DESC LIMIT 1");
    expect(Number(commit?.["bytes"])).toBeLessThan(20_000);
    for (const place of [one, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await search(place, "antelope")).stdout).toContain("The antelope runs.");
    }
    // Each machine has its own clone.
    expect([one, other].map(({ home }) => existsSync(join(home, "data", "clones")))).toEqual([
      true,
      true,
    ]);
    const again = await runHere(one, { SERVICE_BACKEND }, ...index);
    expect(again.stdout).toContain("0 added, 0 changed, 0 removed, 201 unchanged.");
    expect(
      (await runHere(one, {}, "namespaces", "list", "--backend", SERVICE_BACKEND)).stdout,
    ).toContain(`file://${origin.path}`);
  }, 60_000);

  test("SERVICE_CACHE holds the copies of the indexes, and can be removed at any time", async () => {
    const SERVICE_BACKEND = server.freshUrl();
    const place = placeWith(FILES);
    const SERVICE_CACHE = join(place.home, "copies");
    const env = { SERVICE_BACKEND, SERVICE_CACHE };
    await runHere(place, env, "index", place.root, "--namespace", "zoo");
    expect(readdirSync(SERVICE_CACHE)).toHaveLength(1);
    expect(existsSync(join(place.home, "data", "cache"))).toBe(false);
    rmSync(SERVICE_CACHE, { recursive: true });
    const found = await runHere(place, env, "search", "aardvark", "--namespace", "zoo");
    expect(found.stdout).toContain("The aardvark sleeps at noon.");
    expect(readdirSync(SERVICE_CACHE)).toHaveLength(1);
  });

  test("a user without rights, a missing database and newer tables are named with their remedy", async () => {
    const url = server.freshUrl();
    const place = placeWith();
    const list = (backend: string) =>
      runHere(place, {}, "namespaces", "list", "--backend", backend);
    const missing = await list(url.replace("/postgres?", "/nothing?"));
    expect(failureOf(missing)).toEqual([
      2,
      expect.stringContaining('has no database "nothing"'),
      "Create it with `createdb nothing`.",
    ]);
    const database = server.open(url);
    await database.query("DROP ROLE IF EXISTS guest");
    await database.query("CREATE ROLE guest LOGIN");
    const guest = await list(url.replace("svc@", "guest@").replace("schema=", "schema=guest_"));
    expect(failureOf(guest)).toEqual([
      2,
      expect.stringContaining('The user "guest" has too few rights'),
      "Grant them with `GRANT CREATE, CONNECT ON DATABASE postgres TO guest`.",
    ]);
    await database.query("UPDATE schema_version SET version = 999");
    expect(failureOf(await list(url))).toEqual([
      2,
      expect.stringContaining("A newer svc has changed the tables of the shared backend"),
      "Update svc on this machine.",
    ]);
  });
});

needs(["postgres", "mount"], () => {
  const server = serverForTests();

  test("a full disk of the copies is an error with its remedy, and nothing is lost", async () => {
    const SERVICE_BACKEND = server.freshUrl();
    const place = placeWith({ ...manyWords(), "zoo.md": "The aardvark sleeps.\n" });
    await runHere(place, { SERVICE_BACKEND }, "index", place.root, "--namespace", "zoo");
    const SERVICE_CACHE = mkdtempSync(join(tmpdir(), "svc-cache-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", SERVICE_CACHE]);
    onTestFinished(() => {
      spawnSync("umount", [SERVICE_CACHE]);
      rmSync(SERVICE_CACHE, { recursive: true });
    });
    const search = () =>
      svcWith(
        place,
        { SERVICE_BACKEND, SERVICE_CACHE },
        "search",
        "aardvark",
        "--namespace",
        "zoo",
      );
    const full = await search();
    expect(failureOf(full)).toEqual([
      2,
      "svc: The disk is full.",
      expect.stringMatching(/^Free some space/),
    ]);
    // Unfinished work takes no space.
    expect(readdirSync(SERVICE_CACHE, { recursive: true }).join()).not.toMatch(/\.tmp|catalog/);
    execFileSync("mount", ["-o", "remount,size=64m", SERVICE_CACHE]);
    expect((await search()).stdout).toContain("The aardvark sleeps.");
  }, 60_000);
});

test("an address that is not valid, or has a password, is refused without showing it", async () => {
  const place = placeWith();
  const hint = "Set it to an address such as postgres://db.example.org/svc, without a password";
  for (const address of ["postgres://svc:hunter2@db/svc", "mysql://hunter2/svc", "hunter2"]) {
    // oxlint-disable-next-line no-await-in-loop -- two programs at a time
    const [flag, variable] = await Promise.all([
      runHere(place, {}, "status", "--backend", address),
      runHere(place, { SERVICE_BACKEND: address }, "status"),
    ]);
    expect(failureOf(flag)).toEqual([2, "svc: --backend is not a valid address.", `${hint}.`]);
    expect(failureOf(variable)).toEqual([
      2,
      "svc: SERVICE_BACKEND is not a valid address.",
      `${hint}, or leave it unset.`,
    ]);
    expect(flag.stderr + variable.stderr).not.toContain("hunter2");
  }
});

test("a size of the copies that is none is refused", async () => {
  const place = placeWith();
  const run = await runHere(place, {}, "serve", "--cache-limit", "much");
  expect(failureOf(run)).toEqual([
    2,
    'svc: --cache-limit is "much".',
    "Set it to a number with MB, GB or TB, such as 20GB.",
  ]);
});

test("a database that cannot be reached is an error, and nothing is written", async () => {
  const place = placeWith(FILES);
  const run = await runHere(
    place,
    {},
    "index",
    place.root,
    "--backend",
    "postgres://127.0.0.1:1/svc",
  );
  expect(failureOf(run)).toEqual([
    2,
    "svc: The database at 127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1.",
    "Check that PostgreSQL runs there. The next call tries again.",
  ]);
  expect(existsSync(join(place.home, "data", "namespaces"))).toBe(false);
});

test("without a shared backend, no code of PostgreSQL is loaded", () => {
  const place = placeWith(FILES);
  const list = join(place.home, "modules");
  // The sources, because chunks of the executable have other names.
  const main = join(import.meta.dirname, "../../src/main.ts");
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, ["--import", LIST_MODULES, main, ...words], {
      cwd: place.root,
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        HOME: place.home,
        MODULE_LIST: list,
      },
    });
  const loaded = () => readFileSync(list, "utf8").split("\n");
  expect(run("index").status).toBe(0);
  expect(run("search", "aardvark").status).toBe(0);
  // Also the modules of its threads.
  expect(loaded().some((file) => file.endsWith("/index-worker.ts"))).toBe(true);
  expect(loaded().filter((file) => isOfPostgres(file))).toEqual([]);
  run("status", "--backend", "postgres://127.0.0.1:1/svc");
  expect(loaded().some((file) => isOfPostgres(file))).toBe(true);
});

function isOfPostgres(url: string): boolean {
  return /\/src\/postgres\/|\/src\/index\/postgres\/|\/node_modules\/pg/.test(url);
}
