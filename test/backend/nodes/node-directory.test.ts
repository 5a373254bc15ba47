import { expect, test } from "vitest";

import { NodeDirectory } from "../../../src/backend/nodes/node-directory.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("nodes are listed while they announce themselves", async () => {
    const url = server.freshUrl();
    const database = server.open(url);
    const [one, other] = [new NodeDirectory(database), new NodeDirectory(server.open(url))];
    expect(await one.addresses()).toEqual([]);
    await other.announce("http://b:1");
    await one.announce("http://a:1");
    await one.announce("http://a:1");
    expect(await other.addresses()).toEqual(["http://a:1", "http://b:1"]);
    const silence = (address: string, time: string) =>
      database.query("UPDATE search_node SET seen_at = seen_at - $2::interval WHERE address = $1", [
        address,
        time,
      ]);
    await silence("http://a:1", "16 s");
    expect(await other.addresses()).toEqual(["http://b:1"]);
    await one.announce("http://a:1");
    expect(await other.addresses()).toEqual(["http://a:1", "http://b:1"]);
    await other.retire("http://b:1");
    expect(await one.addresses()).toEqual(["http://a:1"]);
    // One that never came back leaves no row.
    await silence("http://a:1", "2 days");
    await one.announce("http://c:1");
    expect(await database.query("SELECT address FROM search_node")).toEqual([
      { address: "http://c:1" },
    ]);
  });

  test("all nodes know the same secret, and other databases have another", async () => {
    const url = server.freshUrl();
    const nodes = Array.from({ length: 5 }, () => new NodeDirectory(server.open(url)));
    const secrets = await Promise.all(nodes.map((node) => node.secret()));
    expect(new Set(secrets.map((secret) => secret.toString("hex"))).size).toBe(1);
    expect(secrets[0]).toHaveLength(32);
    const elsewhere = await new NodeDirectory(server.open(server.freshUrl())).secret();
    expect(elsewhere.equals(secrets[0] ?? elsewhere)).toBe(false);
  });
});
