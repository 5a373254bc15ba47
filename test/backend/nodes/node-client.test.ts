// Real servers that answer as other nodes, as impostors, and not at all.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { randomBytes } from "node:crypto";

import { expect, onTestFinished, test } from "vitest";

import { NodeClient } from "../../../src/backend/nodes/node-client.ts";
import { requireSignature, signReply } from "../../../src/backend/nodes/signature.ts";

const SECRET = randomBytes(32);
const MESSAGE = { search: "1", calls: [{ method: "maxima" as const }] };

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function nodeThat(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

function client(): NodeClient {
  const opened = new NodeClient(async () => SECRET);
  onTestFinished(() => opened.close());
  return opened;
}

const BODY = JSON.stringify({ replies: [{ results: [{ body: 1 }] }] });

function replying(response: ServerResponse, message: string, secret = SECRET): void {
  response.setHeader("x-svc-signature", signReply(secret, message, BODY));
  response.end(BODY);
}

function signatureOf({ headers }: IncomingMessage): string {
  return String(headers["x-svc-signature"]);
}

test("a message is signed, and so is its reply", async () => {
  const received: string[] = [];
  const address = await nodeThat(async (request, response) => {
    const body = await text(request);
    requireSignature(SECRET, { body, signature: signatureOf(request) });
    received.push(`${request.method} ${request.url} ${body}`);
    replying(response, signatureOf(request));
  });
  expect(await client().send(address, MESSAGE)).toEqual({ results: [{ body: 1 }] });
  // An address may have a path, as behind a proxy.
  await client().send(`${address}/node-1/`, MESSAGE);
  const sent = JSON.stringify({ messages: [MESSAGE] });
  expect(received).toEqual([
    `POST /internal/v1/search ${sent}`,
    `POST /node-1/internal/v1/search ${sent}`,
  ]);
});

test("messages of the same turn leave as one, and each gets its reply", async () => {
  const received: number[] = [];
  const address = await nodeThat(async (request, response) => {
    const { messages }: { messages: readonly { search: string }[] } = JSON.parse(
      await text(request),
    );
    received.push(messages.length);
    const body = JSON.stringify({ replies: messages.map(({ search }) => ({ results: [search] })) });
    response.setHeader("x-svc-signature", signReply(SECRET, signatureOf(request), body));
    response.end(body);
  });
  const opened = client();
  const send = (search: string) => opened.send(address, { ...MESSAGE, search });
  const replies = await Promise.all([send("1"), send("2"), send("3")]);
  expect(replies).toEqual([{ results: ["1"] }, { results: ["2"] }, { results: ["3"] }]);
  expect(await send("4")).toEqual({ results: ["4"] });
  expect(received).toEqual([3, 1]);
  const short = await nodeThat((request, response) => replying(response, signatureOf(request)));
  const lost = [opened.send(short, MESSAGE), opened.send(short, MESSAGE)];
  for (const one of await Promise.allSettled(lost)) {
    expect(one).toMatchObject({ reason: { message: `${short} left out a reply` } });
  }
});

test("the reply of a server that does not know the secret is not used", async () => {
  const impostor = await nodeThat((request, response) =>
    replying(response, signatureOf(request), randomBytes(32)),
  );
  await expect(client().send(impostor, MESSAGE)).rejects.toThrow("is not a node of this database");
  const unsigned = await nodeThat((_, response) => response.end(BODY));
  await expect(client().send(unsigned, MESSAGE)).rejects.toThrow("is not a node of this database");
});

test("a redirect is not followed, and an error is one", async () => {
  const asked: string[] = [];
  const address = await nodeThat((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  await expect(client().send(address, MESSAGE)).rejects.toThrow("replied with 307");
  expect(asked).toEqual(["/internal/v1/search"]);
  const refusing = await nodeThat((_, response) => {
    response.writeHead(401).end("The clocks of two nodes differ by 90 s.");
  });
  await expect(client().send(refusing, MESSAGE)).rejects.toThrow(
    "replied with 401: The clocks of two nodes differ by 90 s.",
  );
});

test("a node that is down or silent is an error after a while", { timeout: 30_000 }, async () => {
  await expect(client().send("http://127.0.0.1:9", MESSAGE)).rejects.toThrow("ECONNREFUSED");
  const silent = await nodeThat(() => undefined);
  await expect(client().send(silent, MESSAGE)).rejects.toThrow("Headers Timeout");
});
