import { postgresUpdates } from "../../../src/backend/updates/postgres-updates.ts";
import { updatesContract } from "../../contract/updates.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  updatesContract(() => {
    const url = server.freshUrl();
    const database = server.open(url);
    return {
      open: () => postgresUpdates(server.open(url)),
      // The server's clock decides, so the test makes all its records older instead.
      pass: async (ms) => {
        await database.query(
          "UPDATE repository_update SET run_after = run_after - $1 * interval '1 ms', taken_until = taken_until - $1 * interval '1 ms'",
          [ms],
        );
        await database.query("UPDATE index_node SET seen_at = seen_at - $1 * interval '1 ms'", [
          ms,
        ]);
      },
    };
  });
});
