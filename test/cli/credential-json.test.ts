import { expect, test } from "vitest";

import { keyJson, notesOf, tokenJson } from "../../src/cli/credential-json.ts";
import type { CredentialRecord } from "../../src/credentials/credential-record.ts";

const NOW = Date.parse("2030-01-01T00:00:30Z");
const TOKEN: CredentialRecord = {
  id: "tok_0123456789abcdef",
  kind: "token",
  name: "ci",
  namespaces: ["docs"],
  readOnly: true,
  createdAt: NOW,
  expiresAt: NOW + 1,
  lastUsedAt: NOW,
  revokedAt: NOW,
  digest: "d1",
};

test("the JSON has times in UTC, and never the digest", () => {
  const { expiresAt: _, ...key } = TOKEN;
  const time = "2030-01-01T00:00:30.000Z";
  expect(keyJson({ ...key, kind: "key" }, true)).toEqual({
    key_id: TOKEN.id,
    name: "ci",
    namespace: "docs",
    created_at: time,
    last_used_at: time,
    revoked_at: time,
  });
  expect(tokenJson({ record: TOKEN, isDefault: true }, false)).toEqual({
    token_id: TOKEN.id,
    name: "ci",
    namespaces: ["docs"],
    read_only: true,
    created_at: time,
    expires_at: "2030-01-01T00:00:30.001Z",
    last_used_at: time,
    default: true,
  });
});

test("notes show default, read-only, expired and revoked", () => {
  const all = { record: TOKEN, isDefault: true };
  expect(notesOf({ ...all, state: "active" })).toBe("default, read-only");
  expect(notesOf({ ...all, state: "expired", isDefault: false })).toBe("read-only, expired");
  expect(notesOf({ ...all, state: "revoked" })).toBe(
    "default, read-only, revoked 2030-01-01 00:00Z",
  );
  const key: CredentialRecord = { ...TOKEN, kind: "key" };
  expect(notesOf({ record: key, state: "active", isDefault: false })).toBe("");
});
