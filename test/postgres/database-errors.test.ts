import { expect, test } from "vitest";

import {
  databaseError,
  databaseFailure,
  noPrimary,
  standbyFailure,
} from "../../src/postgres/database-errors.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";

const PLACE = { host: "db:5432", user: "svc", database: "team" };

function failed(code: string, message = "it failed"): Error {
  return Object.assign(new Error(message), { code });
}

test.each([
  ["ECONNREFUSED", "unreachable"],
  ["57P01", "unreachable"],
  ["08006", "unreachable"],
  ["53300", "unreachable"],
  ["25006", "read-only"],
  ["40001", "conflict"],
  ["40P01", "conflict"],
  ["42601", "other"],
])("%s is %s", (code, failure) => {
  expect(databaseFailure(failed(code))).toBe(failure);
});

test.each([
  ["28P01", /refuses the user "svc"/, /PGPASSFILE/],
  ["42501", /too few rights/, /GRANT CREATE, CONNECT ON DATABASE team TO svc/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /no trusted TLS connection/, /sslrootcert=FILE/],
  ["25006", /it is a standby/, /Add the primary/],
  ["53300", /cannot be reached/, /tries again/],
])("%s has a message and a remedy", (code, message, hint) => {
  expect(databaseError(failed(code), PLACE)).toMatchObject({
    code: "BACKEND_UNAVAILABLE",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test("a full disk of the server is STORAGE_FULL", () => {
  expect(databaseError(failed("53100"), PLACE)).toMatchObject({ code: "STORAGE_FULL" });
});

needs(["postgres"], () => {
  const server = serverForTests();

  test("a database that does not exist is named, with the command that creates it", async () => {
    const url = server.freshUrl().replace("/postgres?", "/nowhere?");
    await expect(server.open(url).query("SELECT 1")).rejects.toMatchObject({
      message: expect.stringContaining('has no database "nowhere"'),
      hint: "Create it with `createdb nowhere`.",
    });
  });

  test("a server that does not answer is named with its port", async () => {
    await expect(
      server.open("postgres://svc@127.0.0.1:1/postgres").query("SELECT 1"),
    ).rejects.toMatchObject({ message: expect.stringContaining("127.0.0.1:1 cannot be reached") });
  });
});

function textFor(failures: Readonly<Record<string, Error>>): string {
  return noPrimary(new Map(Object.entries(failures)), { user: "svc", database: "svc" }).detail;
}

test("of several hosts the one that is lost is named, and not only the standby", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const wrong = Object.assign(new Error("wrong password"), { code: "28P01" });
  expect(textFor({ "db1:5432": refused, "db2:5432": standbyFailure() })).toBe(
    "The database at db1:5432 cannot be reached: connect ECONNREFUSED. db2:5432 is a standby. " +
      "If the primary is lost, promote the standby. The next call tries again.",
  );
  expect(textFor({ "db1:5432": refused, "db2:5432": refused })).toContain(
    "The database at db1:5432 cannot be reached",
  );
  expect(textFor({ "db1:5432": standbyFailure(), "db2:5432": wrong })).toContain(
    'The database at db2:5432 refuses the user "svc"',
  );
  expect(textFor({ "db1:5432": standbyFailure(), "db2:5432": standbyFailure() })).toContain(
    "The database at db1:5432, db2:5432 accepts no writes",
  );
});
