import { expect, test } from "vitest";

import { MIGRATIONS } from "../../src/postgres/migrations.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("nodes that start together create the schema once", async () => {
    const url = server.freshUrl();
    const nodes = Array.from({ length: 8 }, () => server.open(url));
    const versions = await Promise.all(
      nodes.map((node) => node.query("SELECT version FROM schema_version")),
    );
    expect(versions).toEqual(nodes.map(() => [{ version: MIGRATIONS.length }]));
  });

  test("a schema that a newer svc has changed is refused and not touched", async () => {
    const url = server.freshUrl();
    const newer = server.open(url);
    await newer.query("UPDATE schema_version SET version = 999");
    await newer.query("DROP TABLE lease");
    await expect(server.open(url).query("SELECT 1")).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      hint: "Update svc on this machine.",
    });
    expect(await newer.query("SELECT version FROM schema_version")).toEqual([{ version: 999 }]);
    expect(await newer.query("SELECT to_regclass('lease') AS lease")).toEqual([{ lease: null }]);
  });

  test("a user who may not create the schema gets the statement that allows it", async () => {
    const owner = server.freshDatabase();
    await owner.query("CREATE USER guest");
    const guest = server.open(server.freshUrl().replace("svc@", "guest@"));
    await expect(guest.query("SELECT 1")).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining('"guest" has too few rights'),
      hint: expect.stringContaining("GRANT CREATE"),
    });
  });
});
