// A primary with a synchronous standby: fail-over, and a former primary that comes back.
import { setTimeout as delay } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import type { CallEvent } from "../../src/credentials/audit-event.ts";
import { PostgresAuditLog } from "../../src/credentials/audit/postgres/postgres-audit-log.ts";
import { parseDatabaseUrl } from "../../src/postgres/database-url.ts";
import { Database } from "../../src/postgres/database.ts";
import { needs } from "../helpers/needs.ts";
import { startPostgres, startStandby } from "../helpers/postgres-server.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { runHere } from "../spec/commands-here.ts";
import { svcWith } from "../spec/program.ts";

const CALL: CallEvent = {
  principal: "local",
  tool: "search_context",
  namespace: "zoo",
  outcome: "ok",
  ms: 1,
  items: 1,
  characters: 1,
};

async function pair() {
  const primary = await startPostgres();
  onTestFinished(primary.stop);
  const standby = await startStandby(primary);
  onTestFinished(standby.stop);
  const url = primary.freshUrl();
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  return { primary, standby, url, both: url.replace(/127\.0\.0\.1:\d+/, hosts) };
}

needs(["postgres"], () => {
  test("after a fail-over everything that was acknowledged is there, and the former primary is not used", async () => {
    const { primary, standby, both } = await pair();
    const files = { "zoo.md": "The aardvark sleeps.\n" };
    const [one, other] = [placeWith(files), placeWith()];
    const env = { SERVICE_BACKEND: both };
    const search = async (word: string) =>
      (await runHere(other, env, "search", word, "--namespace", "zoo")).stdout;
    expect((await svcWith(one, env, "index", ".", "--namespace", "zoo")).exit).toBe(0);
    const token = await runHere(one, env, "auth", "token", "create", "--name", "ci");
    expect(token.exit).toBe(0);

    await primary.kill();
    const list = () => runHere(other, env, "namespaces", "list");
    expect(failureOf(await list())).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `The database at 127.0.0.1:${primary.port} cannot be reached: .*:${standby.port} is a standby`,
        ),
      ),
      "If the primary is lost, promote the standby. The next call tries again.",
    ]);
    await standby.promote();
    expect(await search("aardvark")).toContain("The aardvark sleeps.");
    expect((await runHere(one, env, "auth", "token", "list")).stdout).toContain("ci");
    const more = placeWith({ "farm.md": "The pig eats.\n" });
    expect((await runHere(more, env, "index", more.root, "--namespace", "farm")).exit).toBe(0);

    // It does not know that it was replaced, and accepts writes. The address still names it first.
    await primary.start();
    expect((await list()).stdout).toMatch(/^farm .*\nzoo /);
    expect((await runHere(more, env, "index", more.root, "--namespace", "farm")).exit).toBe(0);
  }, 120_000);

  test("a commit that waits for a lost standby is given up", async () => {
    const { primary, standby, url } = await pair();
    const patient = primary.open(url);
    await patient.query("CREATE TABLE t (n int)");
    await standby.disconnect();
    const hasty = new Database(parseDatabaseUrl(url), "svc", { answerMs: 1500 });
    onTestFinished(() => hasty.close());
    await expect(hasty.query("INSERT INTO t VALUES (1)")).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringMatching(/has given no answer within 2 s\./),
      hint: expect.stringContaining("synchronous standby"),
    });
    // No client sees unacknowledged data, and reading works.
    expect(await hasty.query("SELECT n FROM t")).toEqual([]);
  }, 120_000);

  test("what the standby did not get is not acknowledged", async () => {
    const { primary, standby, url } = await pair();
    const place = placeWith({ "zoo.md": "The aardvark sleeps.\n" });
    const env = { SERVICE_BACKEND: url };
    expect((await runHere(place, env, "index", place.root, "--namespace", "zoo")).exit).toBe(0);
    await standby.disconnect();
    const database = primary.open(url);
    const refused = runHere(place, env, "auth", "token", "create", "--name", "ci");
    // The server does the same when a statement takes too long.
    const cancel = async () =>
      database.query(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
    const cancelling = setInterval(() => void cancel(), 100);
    onTestFinished(() => clearInterval(cancelling));
    const failed = await refused;
    expect(failed.stdout).toBe("");
    expect(failureOf(failed)).toEqual([
      2,
      expect.stringContaining("The standby of the database did not receive the change."),
      "Check the standby and its connection, then repeat the command.",
    ]);
  }, 120_000);

  test("a process that has used the former primary all the time leaves it for the promoted standby", async () => {
    const { primary, standby, both } = await pair();
    const database = new Database(parseDatabaseUrl(both), "svc", { lookAgainMs: 0 });
    onTestFinished(() => database.close());
    await database.query("CREATE TABLE t (n int)");
    // Connections for the next steps, because a new one could already lead to the promoted standby.
    const sleeping = "SELECT pg_sleep(0.2)";
    await Promise.all([sleeping, sleeping, sleeping].map((text) => database.query(text)));
    const listening = await database.connect();
    expect(database.host.port).toBe(primary.port);
    await standby.promote();
    // The former primary no longer has a standby, so its writes wait.
    const lost = database.query("INSERT INTO t VALUES (1)");
    lost.catch(() => undefined);
    const ended = new Promise((end) => listening.client.once("end", end));
    const asked = database.query("SELECT 1 AS one FROM pg_sleep(2)");
    await expect
      .poll(async () => (await database.query("SELECT 1 AS one"), database.host.port))
      .toBe(standby.port);
    // svc repeats reads.
    expect(await asked).toEqual([{ one: 1 }]);
    await expect(lost).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
    await ended;
    listening.release(true);
    await database.query("INSERT INTO t VALUES (2)");
    expect(await database.query("SELECT n FROM t")).toEqual([{ n: 2 }]);

    // The former primary does not count as the newest one just because it is the only one.
    await standby.stop();
    await expect(database.query("SELECT 1")).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining(`127.0.0.1:${primary.port} is a former primary.`),
    });
  }, 120_000);

  test("calls that cannot be audited without the standby take one connection, and questions the others", async () => {
    const { primary, standby, url } = await pair();
    const database = primary.open(url);
    const audit = new PostgresAuditLog(database);
    await audit.append([{ event: "token.create" }]);
    await standby.disconnect();
    for (let call = 0; call < 4; call += 1) {
      audit.recordCall({ ...CALL, request: call });
      // oxlint-disable-next-line no-await-in-loop -- longer than calls wait for each other
      await delay(600);
    }
    const busy = await database.query(
      "SELECT count(*) AS n FROM pg_stat_activity " +
        "WHERE application_name = 'svc' AND state <> 'idle' AND pid <> pg_backend_pid()",
    );
    expect(busy).toEqual([{ n: 1 }]);
    // The write ends with the server.
    await primary.kill();
  }, 120_000);
});
