// `svc doctor` on a machine that shares a PostgreSQL database.
import { expect, onTestFinished, test } from "vitest";

import { NodeDirectory } from "../../src/backend/nodes/node-directory.ts";
import { TABLES_VERSION } from "../../src/postgres/migrate.ts";
import { createMachine, type Machine } from "../helpers/cli.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { placeWith } from "../helpers/shared-backend.ts";
import { svc } from "../spec/program.ts";
import { findingsOn } from "./patient.ts";

const FILES = { "zoo/aardvark.md": "# Aardvark\n\nThe aardvark sleeps at noon.\n" };

function machineWith(files: Readonly<Record<string, string>> = {}): Machine {
  const machine = createMachine(files);
  onTestFinished(machine.dispose);
  return machine;
}

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

  test("nodes that share searches are listed", async () => {
    const backend = server.freshUrl();
    const here = machineWith(FILES);
    await here.svc("index", here.root, "--namespace", "zoo", "--backend", backend);
    const listed = async () =>
      (await findingsOn(here, { backend })).filter(({ what }) => what.includes("search node"));
    expect(await listed()).toEqual([]);
    const directory = new NodeDirectory(server.open(backend));
    await directory.announce("http://10.0.0.5:7420");
    await directory.announce("http://10.0.0.6:7420");
    expect(await listed()).toMatchObject([
      { state: "ok", what: "2 search nodes: http://10.0.0.5:7420, http://10.0.0.6:7420" },
    ]);
  });

  test("an index of another machine that is damaged is named with its remedy", async () => {
    const backend = server.freshUrl();
    const here = machineWith(FILES);
    await here.svc("index", here.root, "--namespace", "zoo", "--backend", backend);
    await server.open(backend).query("UPDATE index_head SET damage = 'a sum differs'");
    expect(await findingsOn(here, { backend })).toContainEqual({
      check: "index",
      namespace: "zoo",
      state: "failed",
      what: "a sum differs",
      mend: expect.stringContaining("svc index DIR --namespace zoo --rebuild"),
    });
  });

  test("svc doctor creates and updates no tables", async () => {
    const url = server.freshUrl();
    const here = machineWith();
    const empty = await findingsOn(here, { backend: url });
    expect(empty).toContainEqual({
      check: "backend",
      state: "warning",
      what: expect.stringMatching(/^the schema \w+ has no tables yet$/),
      mend: expect.any(String),
    });
    expect(empty.filter(({ state }) => state === "failed")).toEqual([]);
    const admin = server.open(url.replace(/schema=.*/, "schema=elsewhere"));
    const schema = new URL(url).searchParams.get("schema");
    const found = await admin.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    expect(found).toEqual([]);
    await here.svc("index", here.root, "--backend", url);
    const database = server.open(url);
    await database.query("UPDATE schema_version SET version = version + 1");
    expect(await findingsOn(here, { backend: url })).toContainEqual({
      check: "backend",
      state: "warning",
      what: expect.stringContaining(
        `the tables have version ${TABLES_VERSION + 1}, and this svc has version ${TABLES_VERSION}`,
      ),
      mend: "Update svc on this machine.",
    });
  });

  test("a damaged audit log is found by --deep", async () => {
    const backend = server.freshUrl();
    const here = machineWith();
    await here.svc("auth", "token", "create", "--name", "team", "--backend", backend);
    const database = server.open(backend);
    await database.query("UPDATE audit_line SET line = replace(line, 'team', 'mate')");
    const changed = await database.query(
      "UPDATE audit_line SET line = replace(line, 'token.create', 'token.revoke') RETURNING seq",
    );
    expect(changed.length).toBeGreaterThan(0);
    expect(await findingsOn(here, { backend })).toContainEqual({
      check: "audit log",
      state: "ok",
      what: "not verified (run `svc doctor --deep`)",
    });
    expect(await findingsOn(here, { backend, isDeep: true })).toContainEqual({
      check: "audit log",
      state: "failed",
      what: expect.stringContaining("the table audit_line, line 1: altered"),
      mend: expect.any(String),
    });
  });
});

test("a database that cannot be reached fails one check; the others run", async () => {
  const run = await svc(placeWith(), "doctor", "--backend", "postgres://127.0.0.1:1/svc");
  expect(run.exit).toBe(2);
  expect(run.stdout).toContain("failed   backend: cannot be checked: The database at 127.0.0.1:1");
  expect(run.stdout).toMatch(/^ok {7}program: /);
});
