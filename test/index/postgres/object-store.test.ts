import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { ObjectStore } from "../../../src/index/postgres/object-store.ts";
import type { Database } from "../../../src/postgres/database.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { tree } from "../../helpers/tree.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  function begin(): { database: Database; objects: ObjectStore; at: (name: string) => string } {
    const { path, dispose } = tree();
    onTestFinished(dispose);
    const database = server.freshDatabase();
    const objects = new ObjectStore(database, "team");
    return { database, objects, at: (name) => join(path, name) };
  }

  test.each([0, 1, (1 << 20) - 1, 1 << 20, (3 << 20) + 7])(
    "a file of %i bytes comes back as it was stored",
    async (size) => {
      const { objects, at } = begin();
      const bytes = randomBytes(size);
      writeFileSync(at("in"), bytes);
      await objects.put("segment-1", at("in"));
      await objects.get("segment-1", at("out"));
      expect(readFileSync(at("out")).equals(bytes)).toBe(true);
    },
  );

  test("an object that was put twice is stored once, also if the first put was interrupted", async () => {
    const { database, objects, at } = begin();
    writeFileSync(at("in"), randomBytes(3 << 20));
    await objects.put("a", at("in"));
    // The state after a kill between writing the parts and writing the row of the object.
    await database.query("DELETE FROM index_object");
    await database.query("DELETE FROM index_part WHERE number = 1");
    await objects.put("a", at("in"));
    await objects.put("a", at("in"));
    expect(await database.query("SELECT count(*) FROM index_part")).toEqual([{ count: 3 }]);
    await objects.get("a", at("out"));
    expect(readFileSync(at("out")).equals(readFileSync(at("in")))).toBe(true);
  });

  test("a flipped bit, a missing part and an unknown name are refused", async () => {
    const { database, objects, at } = begin();
    writeFileSync(at("in"), randomBytes(2 << 20));
    await objects.put("flipped", at("in"));
    await objects.put("cut", at("in"));
    await database.query(
      "UPDATE index_part SET body = set_byte(body, 77, get_byte(body, 77) # 1) WHERE name = 'flipped' AND number = 1",
    );
    await database.query("DELETE FROM index_part WHERE name = 'cut' AND number = 1");
    for (const name of ["flipped", "cut", "unknown"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(objects.get(name, at(name))).rejects.toMatchObject({
        code: "INDEX_UNAVAILABLE",
      });
    }
    expect(existsSync(at("unknown"))).toBe(false);
  });

  test("a name that would need quoting is refused", async () => {
    const { database, objects, at } = begin();
    const name = "a'; DROP TABLE index_part; --";
    await database.query(
      "INSERT INTO index_object (namespace, name, size, sha256) VALUES ('team', $1, 0, '')",
      [name],
    );
    await expect(objects.get(name, at("out"))).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
    expect(await database.query("SELECT count(*) FROM index_part")).toEqual([{ count: 0 }]);
  });

  test("only objects that were dropped before the base, and long enough ago, are collected", async () => {
    const { database, objects, at } = begin();
    writeFileSync(at("in"), "bytes");
    for (const name of ["used", "old", "late", "recent"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await objects.put(name, at("in"));
    }
    const drop =
      "UPDATE index_object SET dropped_at = clock_timestamp() - $2 * interval '1 minute', dropped_generation = $3 WHERE name = $1";
    await database.query(drop, ["old", 11, 5]);
    await database.query(drop, ["late", 11, 6]);
    await database.query(drop, ["recent", 1, 5]);
    await objects.collect(5);
    const names = await database.query("SELECT name FROM index_object ORDER BY name");
    expect(names.map(({ name }) => name)).toEqual(["late", "recent", "used"]);
    expect(await database.query("SELECT DISTINCT name FROM index_part")).toHaveLength(3);
  });
});
