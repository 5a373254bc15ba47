import { postgresLeases } from "../../../src/backend/leases/postgres-leases.ts";
import { leasesContract } from "../../contract/leases.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  leasesContract(() => {
    const url = server.freshUrl();
    const database = server.open(url);
    return {
      open: () => postgresLeases(server.open(url)),
      silence: (namespace) =>
        database.query(
          "UPDATE lease SET reported_at = reported_at - interval '1 hour' WHERE namespace = $1",
          [namespace],
        ),
      drop: (namespace) => database.query("DELETE FROM lease WHERE namespace = $1", [namespace]),
    };
  });
});
