// Real servers with roles on machines that share a PostgreSQL database, and repositories that one of them updates.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findingsOn } from "../doctor/patient.ts";
import { createMachine } from "../helpers/cli.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { outputHere, runHere } from "../spec/commands-here.ts";
import { JSON_BODY, post, startHttp, type HttpServer } from "../spec/http-server.ts";
import { svc, svcWith, type Place } from "../spec/program.ts";

const SLOW = 90_000;

interface FoundPassages {
  readonly results: readonly { readonly text: string }[];
}

function repository(files: Readonly<Record<string, string>>): GitRepository & { url: string } {
  const origin = gitRepository();
  onTestFinished(origin.dispose);
  origin.commit(files);
  return { ...origin, url: `file://${origin.path}` };
}

async function serve(place: Place, ...flags: readonly string[]): Promise<HttpServer> {
  const server = await startHttp(place, ...flags);
  onTestFinished(async () => void (await server.close("SIGKILL")));
  return server;
}

/** Whether a machine has fetched anything. */
function hasFetched({ home }: Place, name: string): boolean {
  const clones = join(home, "data", "clones");
  if (!existsSync(clones)) return false;
  return readdirSync(clones).some((id) => existsSync(join(clones, id, name, ".git")));
}

async function credentials(place: Place, backend: string) {
  const flags = ["--name", "ci", "--backend", backend, "--json"];
  const { token }: { token: string } = JSON.parse(
    await outputHere(place, "auth", "token", "create", ...flags),
  );
  const { key }: { key: string } = JSON.parse(
    await outputHere(place, "auth", "keys", "create", "--namespace", "zoo", ...flags),
  );
  return { token, key };
}

needs(["postgres"], () => {
  const database = serverForTests();

  /** Resolves when an indexing server has announced itself in the database, shortly after it listens. */
  async function nodeIsKnown(backend: string): Promise<void> {
    const sql = database.open(backend);
    await expect
      .poll(() => sql.query("SELECT 1 FROM index_node"), { timeout: 20_000 })
      .toHaveLength(1);
  }

  test(
    "`svc index URL` on a laptop is done by an index node, and a read node answers from it",
    async () => {
      const backend = database.freshUrl();
      const [indexer, reader, laptop] = [placeWith(), placeWith(), placeWith()];
      const origin = repository({ "zoo.md": "The aardvark sleeps.\n" });
      const name = origin.path.split("/").at(-1) ?? "";
      const index = await serve(indexer, "--role", "index", "--backend", backend);
      expect(index.stderr()).toContain("does the indexing of the team");
      const read = await serve(reader, "--role", "read", "--backend", backend);
      await nodeIsKnown(backend);
      const env = { SERVICE_BACKEND: backend };

      const indexed = await svcWith(laptop, env, "index", origin.url, "--namespace", "zoo");
      expect(indexed).toMatchObject({ exit: 0, stderr: "" });
      expect(indexed.stdout).toContain("1 added");
      expect([indexer, reader, laptop].map((place) => hasFetched(place, name))).toEqual([
        true,
        false,
        false,
      ]);

      const { token, key } = await credentials(laptop, backend);
      const search = async (server: HttpServer, query: string) => {
        const headers = { ...JSON_BODY, "X-API-Key": key };
        return post<FoundPassages>(`${server.url}/v1/search`, headers, JSON.stringify({ query }));
      };
      const text = async (query: string): Promise<string> =>
        JSON.stringify((await search(read, query)).body);
      expect(await text("sleeping aardvark")).toContain("The aardvark sleeps.");

      // A push: the read node passes the request on.
      origin.commit({ "zoo.md": "The antelope runs.\n" });
      const refreshed = await post(
        `${read.url}/v1/namespaces/zoo/refresh`,
        { ...JSON_BODY, Authorization: `Bearer ${token}` },
        "{}",
      );
      expect(refreshed).toMatchObject({
        status: 202,
        body: { namespace: "zoo", state: "started" },
      });
      await expect
        .poll(() => text("running antelope"), { timeout: 30_000 })
        .toContain("antelope runs");
      expect(hasFetched(reader, name)).toBe(false);
      // Searches find the text before the last stage of the index has ended.
      const status = () => runHere(laptop, env, "status", "--namespace", "zoo", "--json");
      await expect
        .poll(async () => JSON.parse((await status()).stdout), { timeout: 30_000 })
        .toMatchObject({
          namespaces: [{ state: "ready", sources: [{ available: true, url: origin.url }] }],
        });

      // An index node answers no questions, and a read node does not index.
      expect(await search(index, "antelope")).toMatchObject({
        status: 404,
        body: { error: { data: { error_code: "ENDPOINT_NOT_FOUND" } } },
      });
      expect((await fetch(`${index.url}/readyz`)).status).toBe(200);
      expect((await fetch(`${index.url}/`)).status).toBe(404);
    },
    SLOW,
  );

  test(
    "a repository that cannot be fetched is reported to the one who asked, and leaves nothing",
    async () => {
      const backend = database.freshUrl();
      const [indexer, laptop] = [placeWith(), placeWith()];
      await serve(indexer, "--role", "index", "--backend", backend);
      await nodeIsKnown(backend);
      const env = { SERVICE_BACKEND: backend };
      const gone = repository({ "zoo.md": "The aardvark sleeps.\n" });
      gone.dispose();
      const failed = await runHere(laptop, env, "index", gone.url, "--namespace", "zoo");
      expect(failureOf(failed)).toEqual([
        2,
        expect.stringContaining("does not exist"),
        expect.any(String),
      ]);
      const listed = await runHere(laptop, env, "namespaces", "list");
      expect(listed.stdout + listed.stderr).toContain("Nothing is indexed yet");
    },
    SLOW,
  );

  test(
    "--here indexes on this machine, and the older clone of another one does not undo it",
    async () => {
      const backend = database.freshUrl();
      const [server, laptop] = [placeWith(), placeWith()];
      const origin = repository({ "zoo.md": "The aardvark sleeps.\n" });
      const env = { SERVICE_BACKEND: backend };
      const node = await serve(server, "--backend", backend);
      await nodeIsKnown(backend);
      const index = ["index", origin.url, "--namespace", "zoo"];
      expect((await runHere(laptop, env, ...index)).exit).toBe(0);
      origin.commit({ "zoo.md": "The antelope runs.\n" });
      const here = await runHere(laptop, env, ...index, "--here");
      expect(here.stdout).toContain("1 changed");

      // The server has the older commit. Neither a question nor a run for another source goes back to it.
      const { key } = await credentials(laptop, backend);
      const headers = { ...JSON_BODY, "X-API-Key": key };
      const ask = async (): Promise<string> => {
        const body = JSON.stringify({ query: "antelope aardvark" });
        return JSON.stringify((await post(`${node.url}/v1/search`, headers, body)).body);
      };
      // A commit of another machine reaches the server within half a second.
      await expect.poll(ask, { timeout: 10_000 }).toContain("antelope runs");
      const other = repository({ "farm.md": "The pig eats.\n" });
      const added = await runHere(laptop, env, "index", other.url, "--namespace", "zoo");
      expect(added.stdout).toContain("1 added, 0 changed, 0 removed");
      expect(await ask()).toContain("antelope runs");
      expect(await ask()).not.toContain("aardvark sleeps");
      const state = await database
        .open(backend)
        .query("SELECT requested, ended, attempts FROM repository_update");
      expect(state).toEqual([{ requested: 2, ended: 2, attempts: 0 }]);
    },
    SLOW,
  );

  test(
    "an update of an index node that was killed is done by another",
    async () => {
      const backend = database.freshUrl();
      const [first, second, laptop] = [placeWith(), placeWith(), placeWith()];
      const origin = repository({ "zoo.md": "The aardvark sleeps.\n" });
      const killed = await serve(first, "--role", "index", "--backend", backend);
      const sql = database.open(backend);
      const env = { SERVICE_BACKEND: backend };
      await nodeIsKnown(backend);
      await killed.close("SIGKILL");
      const running = runHere(laptop, env, "index", origin.url, "--namespace", "zoo");
      await expect
        .poll(() => sql.query("SELECT 1 FROM repository_update"), { timeout: 20_000 })
        .toHaveLength(1);
      // The state that the killed node would have left, some time later.
      await sql.query(
        "UPDATE repository_update SET taken_by = gen_random_uuid(), taken_request = 1, attempts = 1, progress = '{}', " +
          "taken_until = clock_timestamp() + interval '1 second'",
      );
      await serve(second, "--role", "index", "--backend", backend);
      const indexed = await running;
      expect(indexed).toMatchObject({ exit: 0, stderr: "" });
      expect(indexed.stdout).toContain("1 added");
    },
    SLOW,
  );

  test("a role needs a database, and the node names itself in svc doctor", async () => {
    const place = placeWith();
    expect(failureOf(await svc(place, "serve", "--role", "read"))).toEqual([
      2,
      expect.stringContaining("--role is for servers that share a database."),
      "Add --backend, or set SERVICE_BACKEND.",
    ]);
    const backend = database.freshUrl();
    await serve(place, "--role", "index", "--backend", backend);
    const laptop = createMachine();
    onTestFinished(laptop.dispose);
    await expect
      .poll(() => findingsOn(laptop, { backend }), { timeout: 30_000, interval: 500 })
      .toContainEqual({
        check: "backend",
        state: "ok",
        what: expect.stringMatching(/^1 index node: \S+:\d+; no updates waiting/),
      });
  }, 60_000);
});
