import { randomBytes } from "node:crypto";

import { expect, onTestFinished, test } from "vitest";

import { NodeDirectory } from "../../../src/backend/nodes/node-directory.ts";
import { signMessage } from "../../../src/backend/nodes/signature.ts";
import { TeamNodes } from "../../../src/backend/nodes/team-nodes.ts";
import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { authorized } from "../../helpers/authorized.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { recordingLogger } from "../../helpers/rpc.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  function nodesOf(url: string) {
    const directory = new NodeDirectory(server.open(url));
    const { logger, entries } = recordingLogger();
    const node = (address: string): TeamNodes => {
      const opened = new TeamNodes({ address, directory, shards: new MemoryBackend(), logger });
      onTestFinished(() => opened.close());
      return opened;
    };
    return { node, directory, entries };
  }

  test("a node is in the list from when it joins until it closes", async () => {
    const url = server.freshUrl();
    const { node, directory } = nodesOf(url);
    const [one, other] = [node("http://a"), node("http://b")];
    expect(await one.addresses()).toEqual([]);
    one.join();
    other.join();
    await expect.poll(() => directory.addresses()).toEqual(["http://a", "http://b"]);
    // The node reads the list again after five seconds, and no caller waits for it.
    expect(await one.addresses()).toEqual([]);
    expect(await node("http://c").addresses()).toEqual(["http://a", "http://b"]);
    await other.close();
    expect(await directory.addresses()).toEqual(["http://a"]);
  });

  test("a message needs the secret of the database, and a form that this version knows", async () => {
    const { node, directory } = nodesOf(server.freshUrl());
    const one = node("http://a");
    const secret = await directory.secret();
    const ask = (body: string, key = secret) =>
      one.answer({ body, signature: signMessage(key, body) }, async (name) => authorized(name));
    await expect(ask("{}", randomBytes(32))).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    await expect(ask("{}")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    await expect(ask("[")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    const body = JSON.stringify({ messages: [{ search: "1", calls: [{ method: "sort" }] }] });
    await expect(ask(body)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    const messages = [
      { search: "1", calls: [] },
      { search: "2", calls: [] },
    ];
    const { body: reply } = await ask(JSON.stringify({ messages }));
    expect(JSON.parse(reply)).toEqual({ replies: messages.map(() => ({ refusal: "unknown" })) });
  });

  test("without the database a node goes on with the list that it has", async () => {
    const { node, directory, entries } = nodesOf("postgres://127.0.0.1:9/none");
    const one = node("http://a");
    expect(await one.addresses()).toEqual([]);
    one.join();
    await expect
      .poll(() => entries)
      .toContainEqual(expect.objectContaining({ message: "the list of nodes was not reached" }));
    await expect(directory.secret()).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
  });
});
