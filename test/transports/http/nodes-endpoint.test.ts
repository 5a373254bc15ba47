import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { SignedText } from "../../../src/base/node-message.ts";
import { post } from "../../spec/http-server.ts";
import { KEY, serve, TOKEN } from "./serve.ts";

const PATH = "/internal/v1/search";
const JSON_BODY = { "Content-Type": "application/json" };

test("a message reaches the node with its signature, and the reply has one", async () => {
  const received: SignedText[] = [];
  const server = await serve([], {
    answerNode: async (message) => {
      received.push(message);
      return { body: '{"results":[]}', signature: "of the reply" };
    },
  });
  const headers = { ...JSON_BODY, "X-Svc-Signature": "1.abc" };
  const reply = await post(server.url + PATH, headers, '{"search":"é"}');
  expect(reply).toMatchObject({ status: 200, body: { results: [] } });
  expect(reply.headers.get("x-svc-signature")).toBe("of the reply");
  await post(server.url + PATH, JSON_BODY, "{}");
  expect(received).toEqual([
    { body: '{"search":"é"}', signature: "1.abc" },
    { body: "{}", signature: "" },
  ]);
  // Messages between nodes are not user calls.
  expect(server.audited).toEqual([]);
});

test("no credential replaces the signature", async () => {
  const server = await serve([], {
    answerNode: async ({ signature }) => {
      throw new SvcError("UNAUTHENTICATED", `The signature is "${signature}".`);
    },
  });
  for (const credential of [{ Authorization: `Bearer ${TOKEN}` }, { "X-API-Key": KEY }]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const reply = await post(server.url + PATH, { ...JSON_BODY, ...credential }, "{}");
    expect(reply).toMatchObject({ status: 401 });
  }
});

test("other methods and media types are refused, and so is a body that is too large", async () => {
  const server = await serve([], { answerNode: () => Promise.reject(new Error("not asked")) });
  const got = await fetch(server.url + PATH);
  expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  expect(await post(server.url + PATH, { "Content-Type": "text/plain" }, "{}")).toMatchObject({
    status: 415,
  });
  const large = JSON.stringify({ search: "x".repeat(5 << 20) });
  expect(await post(server.url + PATH, JSON_BODY, large)).toMatchObject({ status: 413 });
});

test("a server that is no node does not know the path", async () => {
  const server = await serve();
  expect(await post(server.url + PATH, JSON_BODY, "{}")).toMatchObject({ status: 404 });
});
