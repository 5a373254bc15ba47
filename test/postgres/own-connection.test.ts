// A connection whose server stops answering. A proxy in this process simulates the network between them.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { copyOut } from "../../src/postgres/copy-out.ts";
import { parseDatabaseUrl } from "../../src/postgres/database-url.ts";
import { Database } from "../../src/postgres/database.ts";
import { LoginClient } from "../../src/postgres/login.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";

/** Far more than the buffers on the way hold. */
const LARGE = "SELECT repeat('a', 100000)::bytea FROM generate_series(1, 100000)";

interface Cable {
  readonly port: number;
  /** From now on nothing arrives, in either direction, without an error. New connections are refused. */
  readonly cut: () => void;
}

async function cableTo(port: number): Promise<Cable> {
  const sockets: Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    sockets.push(near, far);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const cut = (): void => {
    proxy.close();
    for (const socket of sockets) socket.unpipe().pause();
  };
  onTestFinished(() => {
    cut();
    for (const socket of sockets) socket.destroy();
  });
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has a port");
  return { port: address.port, cut };
}

needs(["postgres"], () => {
  const server = serverForTests();

  async function databaseOver(silenceMs: number) {
    const cable = await cableTo(server.port);
    const url = server.freshUrl().replace(`:${server.port}`, `:${cable.port}`);
    const database = new Database(parseDatabaseUrl(url), "svc", { silenceMs });
    onTestFinished(() => database.close());
    await database.query("SELECT 1");
    return { database, cable };
  }

  test("a statement on a connection that was cut in silence is given up", async () => {
    const { database, cable } = await databaseOver(200);
    cable.cut();
    await expect(database.query("SELECT 1")).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining(`:${cable.port} cannot be reached: no answer for 1 s.`),
    });
  });

  test("the end of a connection that was cut in silence does not wait for the server", async () => {
    const cable = await cableTo(server.port);
    const client = new LoginClient(server.freshUrl().replace(`:${server.port}`, `:${cable.port}`));
    client.on("error", () => undefined);
    await client.connect();
    await client.query("SELECT 1");
    cable.cut();
    await expect(client.end()).resolves.toBeUndefined();
  });

  test("a statement that takes long is waited for while the server can be reached", async () => {
    const { database } = await databaseOver(50);
    expect(await database.query("SELECT 1 AS one FROM pg_sleep(0.5)")).toEqual([{ one: 1 }]);
  });

  test("a statement that takes long is waited for although the server takes no more connections", async () => {
    const admin = server.freshDatabase();
    await admin.query("CREATE ROLE guest LOGIN CONNECTION LIMIT 1");
    await admin.query("GRANT CREATE ON DATABASE postgres TO guest");
    const url = server.freshUrl().replace("svc@", "guest@");
    const database = new Database(parseDatabaseUrl(url), "guest", { silenceMs: 50 });
    onTestFinished(() => database.close());
    expect(await database.query("SELECT 1 AS one FROM pg_sleep(0.5)")).toEqual([{ one: 1 }]);
  });

  test("a connection that ends while it sends values is named as such", async () => {
    const { database } = await databaseOver(5000);
    const connection = await database.connect();
    const values = copyOut(connection, LARGE);
    await values.next();
    await server.kill();
    await server.start();
    const rest = async (): Promise<void> => {
      for await (const _ of values);
    };
    await expect(rest()).rejects.toMatchObject({
      code: "BACKEND_UNAVAILABLE",
      message: expect.stringContaining("cannot be reached"),
    });
    connection.release(true);
  });
});
