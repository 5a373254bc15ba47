import { afterAll, beforeAll } from "vitest";

import { startPostgres, type PostgresServer } from "./postgres-server.ts";

/** A server for the tests of one file: it starts before the first of them and ends after the last. */
export function serverForTests(): PostgresServer {
  let started: PostgresServer | undefined;
  const server = (): PostgresServer => {
    if (started === undefined)
      throw new Error("the server starts before the first test, not earlier");
    return started;
  };
  beforeAll(async () => {
    started = await startPostgres();
  }, 60_000);
  afterAll(() => started?.stop());
  return {
    get port() {
      return server().port;
    },
    get folder() {
      return server().folder;
    },
    freshUrl: () => server().freshUrl(),
    freshDatabase: () => server().freshDatabase(),
    open: (url) => server().open(url),
    kill: () => server().kill(),
    start: () => server().start(),
    stop: () => server().stop(),
  };
}
