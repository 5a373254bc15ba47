import { expect, test } from "vitest";

import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("values come back with their types", async () => {
    const [row] = await server
      .freshDatabase()
      .query("SELECT $1::bigint AS big, $2::bytea AS bytes, $3::text[] AS list, $4::text AS none", [
        2 ** 40,
        Buffer.from([0, 255]),
        ["a", "b,c"],
        null,
      ]);
    expect(row).toEqual({
      big: 2 ** 40,
      bytes: Buffer.from([0, 255]),
      list: ["a", "b,c"],
      none: null,
    });
  });

  test("a transaction that throws changes nothing, and its connection is used again", async () => {
    const database = server.freshDatabase();
    await database.query("CREATE TABLE t (n int)");
    const failed = database.transaction(async (sql) => {
      await sql.query("INSERT INTO t VALUES (1)");
      throw new Error("not now");
    });
    await expect(failed).rejects.toThrow("not now");
    expect(await database.query("SELECT n FROM t")).toEqual([]);
  });

  test("transactions that conflict run again, and each counts once", async () => {
    const database = server.freshDatabase();
    await database.query("CREATE TABLE counter (n int)");
    await database.query("INSERT INTO counter VALUES (0)");
    let attempts = 0;
    const increment = (): Promise<void> =>
      database.transaction(async (sql) => {
        attempts += 1;
        await sql.query("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        const [row] = await sql.query("SELECT n FROM counter");
        await sql.query("UPDATE counter SET n = $1", [Number(row?.["n"]) + 1]);
      });
    const results = await Promise.allSettled([increment(), increment(), increment()]);
    const made = results.filter(({ status }) => status === "fulfilled").length;
    expect(await database.query("SELECT n FROM counter")).toEqual([{ n: made }]);
    expect(made).toBeGreaterThan(0);
    expect(attempts).toBeGreaterThanOrEqual(made);
  });

  test("after a crash of the server the next statements work again", async () => {
    const database = server.freshDatabase();
    await database.query("CREATE TABLE kept (n int)");
    await database.query("INSERT INTO kept VALUES (1)");
    await server.kill();
    await expect(database.query("SELECT n FROM kept")).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      hint: expect.stringContaining("The next call tries again"),
    });
    await server.start();
    expect(await database.query("SELECT n FROM kept")).toEqual([{ n: 1 }]);
  });

  test("the next host of the address is used when the first does not answer", async () => {
    const url = server.freshUrl().replace("127.0.0.1:", "127.0.0.1:1,127.0.0.1:");
    expect(await server.open(url).query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("a closed database is refused", async () => {
    const database = server.freshDatabase();
    await database.query("SELECT 1");
    await database.close();
    await expect(database.query("SELECT 1")).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
  });
});
