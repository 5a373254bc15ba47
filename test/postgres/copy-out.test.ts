import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import { copyOut } from "../../src/postgres/copy-out.ts";
import type { Database } from "../../src/postgres/database.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";

async function valuesOf(database: Database, query: string): Promise<readonly Buffer[]> {
  const connection = await database.connect();
  try {
    const values: Buffer[] = [];
    for await (const value of copyOut(connection, query)) values.push(Buffer.from(value));
    return values;
  } finally {
    connection.release();
  }
}

needs(["postgres"], () => {
  const server = serverForTests();

  test("values come in order, whatever their length, and the connection is used again", async () => {
    const database = server.freshDatabase();
    await database.query("CREATE TABLE part (number int, body bytea)");
    // Around the sizes of packets and of buffers.
    const lengths = [0, 1, 5, 6, 8191, 8192, 65_535, 65_536, 1 << 20, 0, 3];
    const bodies = lengths.map((length) => randomBytes(length));
    for (const [number, body] of bodies.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await database.query("INSERT INTO part VALUES ($1, $2)", [number, body]);
    }
    const query = "SELECT body FROM part ORDER BY number";
    expect(await valuesOf(database, query)).toEqual(bodies);
    expect(await valuesOf(database, query)).toEqual(bodies);
    expect(await valuesOf(database, "SELECT body FROM part WHERE false")).toEqual([]);
  });

  test("a query that fails is an error", async () => {
    await expect(valuesOf(server.freshDatabase(), "SELECT 1/0")).rejects.toThrow(
      "division by zero",
    );
  });
});
