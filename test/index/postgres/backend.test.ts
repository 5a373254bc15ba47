import { join } from "node:path";

import { onTestFinished } from "vitest";

import { PostgresIndex } from "../../../src/index/postgres/backend.ts";
import { indexContract } from "../../contract/index.ts";
import { NAMESPACE } from "../../contract/index/tested-index.ts";
import { look, problemsOf } from "../../engine/fixtures/check-index.ts";
import { authorized } from "../../helpers/authorized.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { tree } from "../../helpers/tree.ts";
import { rowsOf } from "./catalog-rows.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  // Two nodes, each with its own connections and its own copies.
  indexContract(() => {
    const { path, dispose } = tree();
    const url = server.freshUrl();
    const caches = ["one", "other"].map((name) => join(path, name));
    const databases = caches.map(() => server.open(url));
    const [one, other] = databases.map(
      (database, at) => new PostgresIndex({ database, cacheDirectory: caches[at] ?? "" }),
    );
    if (one === undefined || other === undefined) throw new Error("both were created above");
    const database = server.open(url);
    onTestFinished(async () => {
      one.close();
      other.close();
      await Promise.all([...databases, database].map((each) => each.close()));
      dispose();
    });
    return {
      one,
      other,
      revokeWriter: () =>
        database.query("UPDATE index_head SET lease_until = NULL WHERE namespace = $1", [
          NAMESPACE,
        ]),
      problems: async () => {
        for (const node of [one, other]) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          await node.reader(authorized(NAMESPACE));
        }
        const [rows, otherRows] = caches.map((cache) => JSON.stringify(rowsOf(cache)));
        const found = await Promise.all(caches.map((cache) => look(cache, NAMESPACE, problemsOf)));
        const problems = found.flatMap((some) => some ?? []);
        return rows === otherRows ? problems : [...problems, "the copies differ"];
      },
    };
  });
});
