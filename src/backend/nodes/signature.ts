// Shows that a message comes from a node of the same backend: a node knows the secret that is in the database. The secret
// itself is never sent.

import { createHmac, timingSafeEqual } from "node:crypto";

import { SvcError } from "../../base/errors.ts";
import type { SignedText } from "../../base/node-message.ts";

/** How far the clocks of two nodes may differ, in milliseconds. A message that was recorded is refused after that. */
const MAX_SKEW_MS = 60_000;

/** Returns the signature of a message, with the time at which it is sent. */
export function signMessage(secret: Buffer, body: string, nowMs = Date.now()): string {
  return `${nowMs}.${macOf(secret, `message ${nowMs}`, body)}`;
}

/** Throws UNAUTHENTICATED. */
export function requireSignature(
  secret: Buffer,
  { body, signature }: SignedText,
  nowMs = Date.now(),
): void {
  const [, time = "", mac = ""] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(signature) ?? [];
  if (!isSame(mac, macOf(secret, `message ${time}`, body))) {
    throw new SvcError(
      "UNAUTHENTICATED",
      "The message does not come from a node of this database.",
      {
        hint: "Both nodes must have the same SERVICE_BACKEND.",
      },
    );
  }
  const skewMs = Math.abs(nowMs - Number(time));
  if (skewMs <= MAX_SKEW_MS) return;
  throw new SvcError(
    "UNAUTHENTICATED",
    `The clocks of two nodes differ by ${Math.round(skewMs / 1000)} s.`,
    { hint: "Synchronize the clocks of the nodes, for example with NTP." },
  );
}

/** Returns the signature of the reply to a message. */
export function signReply(secret: Buffer, messageSignature: string, body: string): string {
  return macOf(secret, `reply ${messageSignature}`, body);
}

export function isReplyTo(
  secret: Buffer,
  messageSignature: string,
  { body, signature }: SignedText,
): boolean {
  return isSame(signature, signReply(secret, messageSignature, body));
}

function macOf(secret: Buffer, purpose: string, body: string): string {
  return createHmac("sha256", secret).update(`${purpose}\n`).update(body).digest("hex");
}

/** In the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
