import { expect, test } from "vitest";

import { hostName, isOnThisMachine, parseDatabaseUrl } from "../../src/postgres/database-url.ts";

test("an address has hosts, user, database and schema, with defaults", () => {
  expect(parseDatabaseUrl("postgres://svc@db1:6432,db2/team?schema=one")).toEqual({
    hosts: [
      { host: "db1", port: 6432 },
      { host: "db2", port: 5432 },
    ],
    user: "svc",
    database: "team",
    schema: "one",
    rootCertificates: undefined,
  });
  expect(parseDatabaseUrl("postgresql://[::1]:1/a%20b?sslrootcert=/etc/ca.pem")).toEqual({
    hosts: [{ host: "::1", port: 1 }],
    user: undefined,
    database: "a b",
    schema: "svc",
    rootCertificates: "/etc/ca.pem",
  });
});

test("a host that is a folder is a Unix socket", () => {
  const [host] = parseDatabaseUrl("postgres://%2Fvar%2Frun%2Fpostgresql/team").hosts;
  expect(host).toEqual({ host: "/var/run/postgresql", port: 5432 });
});

test.each([
  ["127.0.0.1", true],
  ["127.8.0.1", true],
  ["localhost", true],
  ["[::1]", true],
  ["%2Frun", true],
  ["db", false],
  ["127.0.0.1.example.org", false],
  ["localhost.example.org", false],
])("connections to %s stay on this machine: %s", (host, isLocal) => {
  const [parsed] = parseDatabaseUrl(`postgres://${host}/team`).hosts;
  expect(parsed && isOnThisMachine(parsed)).toBe(isLocal);
});

test("a host is named with its port, a socket by its folder", () => {
  const { hosts } = parseDatabaseUrl("postgres://db,%2Frun/team");
  expect(hosts.map(hostName)).toEqual(["db:5432", "/run"]);
});

test("an address with a password is refused, and the message does not repeat it", () => {
  expect(() => parseDatabaseUrl("postgres://svc:hunter2@db/team")).toThrow(
    expect.objectContaining({
      code: "USAGE",
      message: "The address of the shared backend contains a password.",
      hint: expect.stringContaining("PGPASSFILE"),
    }),
  );
});

test.each([
  "postgres://",
  "postgres://db",
  "postgres://db/",
  "mysql://db/team",
  "postgres:///team",
  "postgres://db:0/team",
  "postgres://db:70000/team",
  "postgres://db,/team",
  "postgres://db/team?schema=Bad-Name",
  "postgres://db/team?schema=a;drop",
  "postgres://db/team?sslmode=disable",
  "postgres://db/team?sslmode=require",
  "postgres://db/team?host=evil",
  "postgres://%E0%A4%A/team",
])("%s is refused", (url) => {
  expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ code: "USAGE" }));
});
