import { createHmac } from "node:crypto";

import { expect, test } from "vitest";

import {
  isPing,
  isWebhook,
  requireWebhookSecret,
} from "../../../src/transports/http/webhook-signature.ts";

const SECRET = "It's a Secret to Everybody";
const BODY = Buffer.from("Hello, World!");
/** The published example of docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries. */
const SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

test("GitHub's published example is valid, and only for its body and secret", () => {
  const headers = { "x-hub-signature-256": SIGNATURE };
  expect(isWebhook(headers)).toBe(true);
  expect(() => requireWebhookSecret(headers, BODY, SECRET)).not.toThrow();
  expect(() => requireWebhookSecret(headers, Buffer.from("Hello, World"), SECRET)).toThrow(
    /does not know the secret/,
  );
  expect(() => requireWebhookSecret(headers, BODY, "another")).toThrow(/does not know the secret/);
});

test("GitLab sends the secret itself", () => {
  expect(() => requireWebhookSecret({ "x-gitlab-token": SECRET }, BODY, SECRET)).not.toThrow();
  for (const wrong of [SECRET.slice(1), `${SECRET}!`, "x"]) {
    expect(() => requireWebhookSecret({ "x-gitlab-token": wrong }, BODY, SECRET)).toThrow(
      /does not know the secret/,
    );
  }
});

test("a signature counts even if the other header has the secret", () => {
  const mac = createHmac("sha256", "another").update(BODY).digest("hex");
  const headers = { "x-hub-signature-256": `sha256=${mac}`, "x-gitlab-token": SECRET };
  expect(() => requireWebhookSecret(headers, BODY, SECRET)).toThrow(/does not know the secret/);
});

test("without a secret, no webhook is accepted", () => {
  expect(() => requireWebhookSecret({ "x-hub-signature-256": SIGNATURE }, BODY, undefined)).toThrow(
    /accepts no webhooks/,
  );
  expect(() => requireWebhookSecret({ "x-gitlab-token": "" }, BODY, undefined)).toThrow(
    /accepts no webhooks/,
  );
});

test.each([
  [{}, false],
  [{ "x-hub-signature-256": "sha1=1234" }, false],
  [{ "x-hub-signature-256": `sha256=${"0".repeat(63)}` }, false],
  [{ "x-gitlab-token": "" }, false],
  [{ "x-gitlab-token": "x" }, true],
])("%j comes from a webhook: %s", (headers, expected) => {
  expect(isWebhook(headers)).toBe(expected);
});

test("a ping only tests the webhook", () => {
  expect([{ "x-github-event": "ping" }, { "x-github-event": "push" }, {}].map(isPing)).toEqual([
    true,
    false,
    false,
  ]);
});
