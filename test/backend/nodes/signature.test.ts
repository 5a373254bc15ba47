import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import {
  isReplyTo,
  requireSignature,
  signMessage,
  signReply,
} from "../../../src/backend/nodes/signature.ts";

const SECRET = randomBytes(32);
const OTHER = randomBytes(32);
const NOW = 1_790_000_000_000;

test("a message with the signature of a node is accepted", () => {
  const signature = signMessage(SECRET, "body", NOW);
  requireSignature(SECRET, { body: "body", signature }, NOW + 59_000);
  requireSignature(SECRET, { body: "body", signature }, NOW - 59_000);
  expect(signature).not.toContain(SECRET.toString("hex"));
});

const signed = signMessage(SECRET, "body", NOW);
const [time = "", mac = ""] = signed.split(".");
const WRONG = [
  ["another body", { body: "body2", signature: signed }],
  ["another secret", { body: "body", signature: signMessage(OTHER, "body", NOW) }],
  ["another time", { body: "body", signature: `${Number(time) + 1}.${mac}` }],
  ["no signature", { body: "body", signature: "" }],
  ["half a signature", { body: "body", signature: signed.slice(0, -2) }],
  [
    "the signature of a reply",
    { body: "body", signature: `${time}.${signReply(SECRET, "", "body")}` },
  ],
] as const;

test.each(WRONG)("a message with %s is refused", (_, message) => {
  expect(() => requireSignature(SECRET, message, NOW)).toThrow(
    "The message does not come from a node of this database.",
  );
});

test.each([61_000, -61_000, 3_600_000])(
  "a recorded message, or one of a clock that is %i ms away, is refused",
  (skewMs) => {
    const message = { body: "body", signature: signed };
    expect(() => requireSignature(SECRET, message, NOW + skewMs)).toThrow(
      `The clocks of two nodes differ by ${Math.abs(skewMs) / 1000} s.`,
    );
  },
);

test("a reply belongs to one message", () => {
  const reply = { body: "reply", signature: signReply(SECRET, signed, "reply") };
  expect(isReplyTo(SECRET, signed, reply)).toBe(true);
  expect(isReplyTo(SECRET, signMessage(SECRET, "body", NOW + 1), reply)).toBe(false);
  expect(isReplyTo(SECRET, signed, { ...reply, body: "forged" })).toBe(false);
  expect(isReplyTo(OTHER, signed, reply)).toBe(false);
  expect(isReplyTo(SECRET, signed, { ...reply, signature: "" })).toBe(false);
});
