import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { passwordOf } from "../../src/postgres/login.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { svcWith, type Run } from "../spec/program.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("the password comes from the file that PGPASSFILE names; a wrong or missing one is named with its remedy", async () => {
    const url = server.freshUrl();
    const place = placeWith({ "a.md": "The aardvark sleeps.\n" });
    const database = server.open(url);
    await database.query("CREATE ROLE member LOGIN PASSWORD 'right: \\ one'");
    const [row] = await database.query("SHOW hba_file");
    const rules = String(row?.["hba_file"]);
    writeFileSync(rules, `host all member all scram-sha-256\n${readFileSync(rules, "utf8")}`);
    await database.query("SELECT pg_reload_conf()");
    await database.query("GRANT CREATE ON DATABASE postgres TO member");

    const SERVICE_BACKEND = url.replace("svc@", "member@").replace("schema=", "schema=of_member_");
    const PGPASSFILE = join(place.home, "passwords");
    const index = (): Promise<Run> =>
      svcWith(place, { SERVICE_BACKEND, PGPASSFILE }, "index", ".", "--namespace", "zoo");
    const none = await index();
    expect(failureOf(none)).toEqual([
      2,
      expect.stringContaining('asks for the password of "member", and there is none.'),
      "Put it into the file that PGPASSFILE names (default ~/.pgpass), with mode 0600.",
    ]);
    const write = (password: string): void =>
      writeFileSync(PGPASSFILE, `127.0.0.1:*:*:member:${password}\n`, { mode: 0o600 });
    write("wrong");
    const wrong = await index();
    expect(failureOf(wrong)).toEqual([
      2,
      expect.stringContaining('refuses the user "member"'),
      "Put the password into the file that PGPASSFILE names (default ~/.pgpass), and check pg_hba.conf.",
    ]);
    // As the file escapes a colon and a backslash.
    write(String.raw`right\: \\ one`);
    const right = await index();
    expect(right).toMatchObject({ exit: 0, stderr: "" });
    expect(
      [none, wrong, right].map(({ stdout, stderr }) => stdout + stderr).join(""),
    ).not.toContain("wrong");
  });
});

test("a socket has the passwords of localhost, as for psql", async () => {
  const file = join(placeWith().home, "passwords");
  writeFileSync(file, "localhost:5432:svc:ann:secret\n", { mode: 0o600 });
  const before = process.env["PGPASSFILE"];
  process.env["PGPASSFILE"] = file;
  try {
    const login = { user: "ann", database: "svc" };
    expect(await passwordOf({ ...login, host: { host: "/run/postgresql", port: 5432 } })).toBe(
      "secret",
    );
    await expect(
      passwordOf({ ...login, host: { host: "db.example.org", port: 5432 } }),
    ).rejects.toThrow("no password");
  } finally {
    if (before === undefined) delete process.env["PGPASSFILE"];
    else process.env["PGPASSFILE"] = before;
  }
});
