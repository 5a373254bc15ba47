/** The files of a small shop, by path. */
export const PROJECT: Readonly<Record<string, string>> = {
  "README.md": `# Shop

A small shop with sessions and access tokens.

## Sign in

Customers get a session and a token. A token ends after an hour, or when it is revoked.
`,
  "docs/tokens.md": `# Tokens

## Revoke a token

Call \`DELETE /tokens/:id\`. The token is refused from the next request on, and its session is closed.

## Expiry

A token ends after an hour. The sweeper deletes what has expired.
`,
  "lib/token-store.ts": `/** A token as the store keeps it. */
export interface StoredToken {
  readonly id: string;
  readonly customer: string;
  readonly expiresAt: number;
  revokedAt?: number;
}

/** Keeps tokens in memory, by id. */
export class TokenStore {
  readonly #tokens = new Map<string, StoredToken>();

  add(token: StoredToken): void {
    this.#tokens.set(token.id, token);
  }

  find(id: string): StoredToken | undefined {
    return this.#tokens.get(id);
  }

  /** Marks a token as revoked. Returns false if there is none. */
  markRevoked(id: string, now: number): boolean {
    const token = this.#tokens.get(id);
    if (token === undefined) return false;
    token.revokedAt = now;
    return true;
  }

  /** Deletes tokens that have expired. */
  sweep(now: number): number {
    let deleted = 0;
    for (const [id, token] of this.#tokens) {
      if (token.expiresAt > now) continue;
      this.#tokens.delete(id);
      deleted += 1;
    }
    return deleted;
  }
}
`,
  "lib/revoke-token.ts": `import { closeSession } from "./sessions.ts";
import type { TokenStore } from "./token-store.ts";

/** Revokes a token and closes its session. Throws if there is no such token. */
export function revokeToken(store: TokenStore, id: string, now = Date.now()): void {
  if (!store.markRevoked(id, now)) throw new Error("No such token");
  closeSession(id);
}
`,
  "lib/sessions.ts": `const open = new Map<string, { readonly customer: string }>();

/** Opens the session of a token. */
export function openSession(token: string, customer: string): void {
  open.set(token, { customer });
}

/** Closes the session of a token. */
export function closeSession(token: string): void {
  open.delete(token);
}
`,
  "lib/routes.ts": `import { revokeToken } from "./revoke-token.ts";
import { openSession } from "./sessions.ts";
import { TokenStore } from "./token-store.ts";

const HOUR_MS = 3_600_000;
const store = new TokenStore();

/** POST /tokens */
export function createToken(customer: string): string {
  const id = crypto.randomUUID();
  store.add({ id, customer, expiresAt: Date.now() + HOUR_MS });
  openSession(id, customer);
  return id;
}

/** DELETE /tokens/:id */
export function deleteToken(id: string): void {
  revokeToken(store, id);
}
`,
  "lib/prices.ts": `/** The price of an order in cents, with value added tax. */
export function totalPrice(cents: readonly number[], taxPercent: number): number {
  const net = cents.reduce((sum, price) => sum + price, 0);
  return Math.round(net * (1 + taxPercent / 100));
}
`,
  "test/revoke-token.test.ts": `import { expect, test } from "vitest";

import { revokeToken } from "../lib/revoke-token.ts";
import { TokenStore } from "../lib/token-store.ts";

test("a revoked token is marked", () => {
  const store = new TokenStore();
  store.add({ id: "a", customer: "b", expiresAt: 10 });
  revokeToken(store, "a", 5);
  expect(store.find("a")?.revokedAt).toBe(5);
});
`,
};
