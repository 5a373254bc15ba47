// `svc doctor` on a machine that shares a PostgreSQL database.
import { expect, test } from "vitest";

import { TABLES_VERSION } from "../../src/postgres/migrate.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { placeWith } from "../helpers/shared-backend.ts";
import { svc } from "../spec/program.ts";

const FILES = { "zoo/aardvark.md": "# Aardvark\n\nThe aardvark sleeps at noon.\n" };

needs(["postgres"], () => {
  const server = serverForTests();

  test("svc doctor checks the database, the copies, the credentials and the audit log", async () => {
    const url = server.freshUrl();
    const place = placeWith(FILES);
    await svc(place, "index", ".", "--namespace", "zoo", "--backend", url);
    await svc(place, "auth", "token", "create", "--name", "team", "--backend", url);
    const run = await svc(place, "doctor", "--deep", "--json", "--backend", url);
    const { findings }: { findings: readonly { check: string; state: string; what: string }[] } =
      JSON.parse(run.stdout);
    const about = (check: string) =>
      findings.filter((found) => found.check === check).map(({ state, what }) => [state, what]);
    expect(about("backend")[0]).toEqual(["ok", expect.stringMatching(/^PostgreSQL 1\d.* schema /)]);
    expect(about("backend")[1]).toEqual(["ok", "1 namespace"]);
    expect(about("cache")).toEqual([["ok", expect.stringContaining("copies of 1 of 1 namespace")]]);
    expect(about("credentials")).toEqual([["ok", "1 active credential in the database"]]);
    expect(about("audit log")).toEqual([["ok", expect.stringMatching(/^\d+ lines verified$/)]]);
    expect(about("registry")).toEqual([]);
  });

  test("an index of another machine that is damaged is named with its remedy", async () => {
    const url = server.freshUrl();
    const place = placeWith(FILES);
    await svc(place, "index", ".", "--namespace", "zoo", "--backend", url);
    await server.open(url).query("UPDATE index_head SET damage = 'a sum differs'");
    const run = await svc(place, "doctor", "--backend", url);
    expect(run.exit).toBe(2);
    expect(run.stdout).toContain("failed   index of zoo: a sum differs\n");
    expect(run.stdout).toContain("svc index DIR --namespace zoo --rebuild");
  });

  test("svc doctor creates and updates no tables", async () => {
    const url = server.freshUrl();
    const place = placeWith();
    const empty = await svc(place, "doctor", "--backend", url);
    expect(empty.exit).toBe(0);
    expect(empty.stdout).toMatch(/warning {2}backend: the schema \w+ has no tables yet\n/);
    const admin = server.open(url.replace(/schema=.*/, "schema=elsewhere"));
    const schema = new URL(url).searchParams.get("schema");
    const found = await admin.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    expect(found).toEqual([]);
    await svc(place, "index", ".", "--backend", url);
    const database = server.open(url);
    await database.query("UPDATE schema_version SET version = version + 1");
    const newer = await svc(place, "doctor", "--backend", url);
    expect(newer.stdout).toContain(
      `backend: the tables have version ${TABLES_VERSION + 1}, and this svc has version ${TABLES_VERSION}`,
    );
    expect(newer.stdout).toContain("Update svc on this machine.");
  });

  test("a damaged audit log is found by --deep", async () => {
    const url = server.freshUrl();
    const place = placeWith();
    await svc(place, "auth", "token", "create", "--name", "team", "--backend", url);
    await server.open(url).query("UPDATE audit_line SET line = replace(line, 'team', 'mate')");
    const changed = await server
      .open(url)
      .query(
        "UPDATE audit_line SET line = replace(line, 'token.create', 'token.revoke') RETURNING seq",
      );
    expect(changed.length).toBeGreaterThan(0);
    const quick = await svc(place, "doctor", "--backend", url);
    expect(quick.stdout).toContain("audit log: not verified (run `svc doctor --deep`)");
    const deep = await svc(place, "doctor", "--deep", "--backend", url);
    expect([deep.exit, deep.stdout]).toEqual([
      2,
      expect.stringContaining("failed   audit log: the table audit_line, line 1: altered"),
    ]);
  });
});

test("a database that cannot be reached fails one check; the others run", async () => {
  const run = await svc(placeWith(), "doctor", "--backend", "postgres://127.0.0.1:1/svc");
  expect(run.exit).toBe(2);
  expect(run.stdout).toContain("failed   backend: cannot be checked: The database at 127.0.0.1:1");
  expect(run.stdout).toMatch(/^ok {7}program: /);
});
