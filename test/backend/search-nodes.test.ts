// Real servers that share a PostgreSQL database, an index in several shards, and the work of searching in it.
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { freePort } from "../helpers/free-port.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { outputHere, runHere } from "../spec/commands-here.ts";
import { JSON_BODY, post, startHttp, type HttpServer } from "../spec/http-server.ts";
import type { Place } from "../spec/program.ts";

const SLOW = 120_000;
const SOURCES = join(import.meta.dirname, "../../src/engine/indexing");

const QUESTIONS = [
  "which runs are scheduled first",
  "how is a repository fetched and indexed",
  "indexed stages of a file",
  "IndexThreadPool",
  "close the indexing threads",
];
const LATER = ["progress of a run", "RunScheduler", "files that are read again"];

async function serve(place: Place, ...flags: readonly string[]): Promise<HttpServer> {
  const server = await startHttp(place, ...flags);
  onTestFinished(async () => void (await server.close("SIGKILL")));
  return server;
}

needs(["postgres"], () => {
  const database = serverForTests();

  test(
    "two nodes search for each other, with the answers of one that searches alone",
    async () => {
      const backend = database.freshUrl();
      const indexer = placeWith();
      cpSync(SOURCES, join(indexer.root, "indexing"), { recursive: true });
      const env = { SERVICE_BACKEND: backend, SERVICE_SHARD_CHUNKS: "100" };
      const index = async (): Promise<void> => {
        const words = ["index", indexer.root, "--namespace", "project"];
        expect(await runHere(indexer, env, ...words)).toMatchObject({ exit: 0, stderr: "" });
      };
      await index();
      // The commit that finds too many chunks divides the index.
      writeFileSync(join(indexer.root, "notes.md"), "# Notes\n\nRuns are scheduled in turn.\n");
      await index();
      const flags = ["--name", "ci", "--backend", backend, "--json"];
      const { key }: { key: string } = JSON.parse(
        await outputHere(indexer, "auth", "keys", "create", "--namespace", "project", ...flags),
      );

      const alone = await serve(placeWith(), "--role", "read", "--backend", backend);
      const node = async (): Promise<HttpServer> => {
        const port = String(await freePort());
        const url = `http://127.0.0.1:${port}`;
        const role = ["--role", "read", "--backend", backend];
        return serve(placeWith(), ...role, "--port", port, "--node-url", url);
      };
      const [one, other] = [await node(), await node()];
      const sql = database.open(backend);
      const known = () => sql.query("SELECT address FROM search_node ORDER BY address");
      const addresses = [{ address: one.url }, { address: other.url }];
      await expect
        .poll(known, { timeout: 20_000 })
        .toEqual(addresses.toSorted((a, b) => (a.address < b.address ? -1 : 1)));

      const headers = { ...JSON_BODY, "X-API-Key": key };
      const search = async (server: HttpServer, query: string): Promise<unknown> => {
        const body = JSON.stringify({ query, limit: 20 });
        const answer = await post<{ results: unknown; partial?: unknown }>(
          `${server.url}/v1/search`,
          headers,
          body,
        );
        expect(answer.status).toBe(200);
        const { results, partial } = answer.body;
        expect(results).not.toEqual([]);
        return { results, partial };
      };
      for (const query of QUESTIONS) {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        const expected = await search(alone, query);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await search(one, query)).toEqual(expected);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await search(other, query)).toEqual(expected);
      }
      expect(one.stderr() + other.stderr()).not.toContain("does not search");

      // A node refuses unsigned messages, and a server that is not a node does not know the path.
      const stranger = { ...JSON_BODY, "X-Svc-Signature": `${Date.now()}.${"0".repeat(64)}` };
      const forged = await post(`${one.url}/internal/v1/search`, stranger, "{}");
      const refused = { error: { data: { error_code: "UNAUTHENTICATED" } } };
      expect(forged).toMatchObject({ status: 401, body: refused });
      const unsigned = await post(`${one.url}/internal/v1/search`, JSON_BODY, "{}");
      expect(unsigned).toMatchObject({ status: 401 });
      const unknown = await post(`${alone.url}/internal/v1/search`, stranger, "{}");
      expect(unknown).toMatchObject({ status: 404 });

      // The other node dies: this node searches its part too, and reports the reason.
      await other.close("SIGKILL");
      for (const query of LATER) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await search(one, query)).toEqual(await search(alone, query));
      }
      expect(one.stderr()).toContain("does not search");
      expect(one.stderr()).toContain(other.url);

      // A node that shuts down leaves the list at once.
      expect(await one.close()).toBe(0);
      expect(await known()).toEqual([{ address: other.url }]);
    },
    SLOW,
  );

  test("a node needs a database, and an address", async () => {
    const place = placeWith();
    const node = ["--node-url", "http://127.0.0.1:7420"];
    expect(failureOf(await runHere(place, {}, "serve", ...node))).toEqual([
      2,
      "svc: --node-url is for servers that share a database.",
      "Add --backend, or set SERVICE_BACKEND.",
    ]);
    const backend = database.freshUrl();
    const wrong = await runHere(
      place,
      { SERVICE_BACKEND: backend },
      "serve",
      "--node-url",
      "http://user:hunter2@host",
    );
    expect(wrong.exit).toBe(2);
    expect(wrong.stderr).toContain("http://10.0.0.5:7420");
    expect(wrong.stderr).not.toContain("hunter2");
  });
});
