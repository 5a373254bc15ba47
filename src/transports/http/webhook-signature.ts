import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { SvcError } from "../../base/errors.ts";

/** True if a request shows that it comes from a webhook, and not from a client with a token. */
export function isWebhook(headers: IncomingHttpHeaders): boolean {
  return signatureOf(headers) !== undefined || gitlabTokenOf(headers) !== undefined;
}

/**
 * Verifies that the sender knows the secret of the webhook: the HMAC of the body, as GitHub, Gitea and Forgejo send it, or
 * the secret itself, as GitLab sends it. Throws UNAUTHENTICATED.
 *
 * Sources: docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries, docs.gitlab.com/user/project/integrations/webhooks.
 */
export function requireWebhookSecret(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
): void {
  if (secret === undefined) {
    throw new SvcError("UNAUTHENTICATED", "This server accepts no webhooks.", {
      hint: "Start it with SERVICE_WEBHOOK_SECRET, or send an access token.",
    });
  }
  const token = gitlabTokenOf(headers);
  const signature = signatureOf(headers);
  const isValid =
    signature === undefined
      ? token !== undefined && isSame(macOf("token", token), macOf("token", secret))
      : isSame(signature, macOf(secret, body));
  if (isValid) return;
  throw new SvcError("UNAUTHENTICATED", "The webhook does not know the secret of this server.", {
    hint: "Enter the value of SERVICE_WEBHOOK_SECRET as the secret of the webhook.",
  });
}

/** True for a message that only tests the webhook. */
export function isPing(headers: IncomingHttpHeaders): boolean {
  return headers["x-github-event"] === "ping" || headers["x-gitea-event"] === "ping";
}

function signatureOf({ "x-hub-signature-256": given }: IncomingHttpHeaders): Buffer | undefined {
  const hex = typeof given === "string" ? /^sha256=([0-9a-f]{64})$/i.exec(given)?.[1] : undefined;
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}

function gitlabTokenOf({ "x-gitlab-token": given }: IncomingHttpHeaders): string | undefined {
  return typeof given === "string" && given !== "" ? given : undefined;
}

function macOf(key: string, data: Buffer | string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}

/** In the same time wherever they differ. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
