import { PostgresRegistry } from "../../../../src/sources/registry/postgres/postgres-registry.ts";
import { registryContract } from "../../../contract/registry.ts";
import { needs } from "../../../helpers/needs.ts";
import { serverForTests } from "../../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  registryContract(() => {
    const url = server.freshUrl();
    return () => new PostgresRegistry(server.open(url));
  });
});
