// Older copies of the credential store or of the audit log are restored, or the log is removed. Each command opens
// everything again, as at a shell, and each client starts a server of its own.
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findingsOn } from "../../doctor/patient.ts";
import type { CliRun } from "../../helpers/cli.ts";
import { credentialMachine, type CredentialMachine } from "../credential-machine.ts";
import { runProgram } from "../process.ts";

interface Scene {
  readonly place: CredentialMachine;
  readonly svc: (...words: readonly string[]) => Promise<CliRun>;
  /** The folder with the anchor and the head of the log. */
  readonly keys: string;
  readonly token: string;
  readonly id: string;
  /** Restores a path to its state before the token was revoked; removes one that did not exist then. */
  readonly putBack: (path: string) => void;
}

const DATABASE = ["credentials.db", "credentials.db-wal", "credentials.db-shm"];

/** A machine with two tokens, one of which was revoked after a copy of everything was made. */
async function scene(): Promise<Scene> {
  const place = credentialMachine();
  const { svc } = place;
  const result = await svc("auth", "token", "create", "--name", "laptop", "--json");
  const { token, token_id: id } = JSON.parse(result.out);
  await svc("auth", "token", "create", "--name", "other");
  const name = readdirSync(place.config).find((entry) => entry.startsWith("keys-")) ?? "";
  const keys = join(place.config, name);
  const copies = join(place.home, "copies");
  for (const each of [place.data, keys]) cpSync(each, join(copies, each), { recursive: true });
  expect((await svc("auth", "token", "revoke", id)).code).toBe(0);
  return {
    place,
    svc,
    keys,
    token,
    id,
    putBack(path) {
      rmSync(path, { recursive: true, force: true });
      const copy = join(copies, path);
      if (existsSync(copy)) cpSync(copy, path, { recursive: true });
    },
  };
}

/** Restores the store to its state before the revocation, with its anchor. */
function rollBackStore({ place, keys, putBack }: Scene): void {
  for (const file of DATABASE) putBack(join(place.data, "credentials", file));
  putBack(join(keys, "credentials.anchor"));
}

function removeLog({ place, keys }: Scene): void {
  rmSync(join(place.data, "audit"), { recursive: true });
  rmSync(join(keys, "audit.head"));
}

/** Calls a tool over standard input with the token. Returns the result. */
async function call({ place, token }: Scene): Promise<string> {
  const params = { name: "index_status", arguments: {} };
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const { out } = await runProgram(place, ["mcp", "--stdio"], {
    input: input.join(""),
    env: { SERVICE_DATA_KEY_FILE: place.keyFile, SERVICE_TOKEN: token },
  });
  const answers = out.trim().split("\n");
  const answer = answers.map((line) => JSON.parse(line)).find((message) => message.id === 2);
  const refused = answer.error?.data ?? answer.result.structuredContent;
  return refused.error_code ?? "ok";
}

async function doctorFailures({ place }: Scene): Promise<readonly string[]> {
  const failed = (await findingsOn(place)).filter(({ state }) => state === "failed");
  return failed.map(({ check, what }) => `${check}: ${what}`);
}

async function verified({ svc }: Scene): Promise<{ readonly code: number; readonly kind: string }> {
  const { code, out } = await svc("audit", "verify", "--json");
  return { code, kind: JSON.parse(out).damage?.kind ?? "whole" };
}

test("an untouched machine is in order", async () => {
  const here = await scene();
  expect(await verified(here)).toEqual({ code: 0, kind: "whole" });
  expect(await call(here)).toBe("CREDENTIAL_REVOKED");
  expect(await doctorFailures(here)).toEqual([]);
  expect(await here.svc("auth", "store", "accept", "--yes")).toMatchObject({
    code: 0,
    out: expect.stringContaining("agree; nothing was changed"),
  });
}, 60_000);

test("a log that was removed with its head is detected, and starts again after its owner accepts that", async () => {
  const here = await scene();
  removeLog(here);
  expect(await verified(here)).toEqual({ code: 2, kind: "missing" });
  const text = await here.svc("audit", "verify");
  expect(text).toMatchObject({ code: 2, out: expect.stringContaining("the log is gone") });
  expect(await here.svc("auth", "token", "list")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/audit log is gone.*\n.*svc auth store accept/),
  });
  expect(await call(here)).toBe("CREDENTIAL_STORE");
  expect(await doctorFailures(here)).toEqual([
    expect.stringMatching(/^credentials: The audit log is gone/),
    expect.stringMatching(/^audit log: audit: missing \(the log is gone/),
  ]);

  expect((await here.svc("auth", "store", "accept", "--yes")).code).toBe(0);
  expect((await here.svc("auth", "token", "list")).code).toBe(0);
  expect(await call(here)).toBe("CREDENTIAL_REVOKED");
  // The log keeps a record of the missing lines.
  expect(await verified(here)).toEqual({ code: 2, kind: "altered" });
  expect((await here.svc("audit", "verify")).out).toContain("the log was gone");
}, 60_000);

test.each([
  ["the store and its anchor", rollBackStore],
  [
    "the store with everything in the folder of keys",
    (here: Scene) => {
      rollBackStore(here);
      here.putBack(here.keys);
    },
  ],
])(
  "%s cannot be put back: the log knows the revocation",
  async (_, attack) => {
    const here = await scene();
    attack(here);
    expect(await call(here)).toBe("CREDENTIAL_STORE");
    expect(await verified(here)).toEqual({ code: 2, kind: "rolled back" });
    expect(await here.svc("auth", "token", "list")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/older copy: it has 2 changes, but the audit log knows 3/),
    });
    expect(await here.svc("auth", "store", "status")).toMatchObject({
      code: 2,
      out: expect.stringContaining("older copy"),
    });
    expect(await doctorFailures(here)).toEqual([
      expect.stringMatching(/^credentials: The credential store is an older copy/),
      expect.stringMatching(/^audit log: credentials\.db: rolled back/),
    ]);

    // Nothing changes in between, and the owner sees the state to accept.
    expect((await here.svc("auth", "store", "accept")).code).toBe(2);
    expect(await call(here)).toBe("CREDENTIAL_STORE");
    expect(await here.svc("auth", "store", "accept", "--yes")).toMatchObject({
      code: 0,
      err: expect.stringContaining(`${here.id} "laptop" as revoked; it would be valid again`),
    });
    expect(await call(here)).toBe("ok");
    expect((await here.svc("auth", "token", "revoke", here.id)).code).toBe(0);
    expect(await verified(here)).toEqual({ code: 0, kind: "whole" });
    // The accepted copy is outdated by now.
    rollBackStore(here);
    expect(await call(here)).toBe("CREDENTIAL_STORE");
  },
  60_000,
);

test("an older copy of the log and its head is missed", async () => {
  const here = await scene();
  here.putBack(join(here.place.data, "audit"));
  here.putBack(join(here.keys, "audit.head"));
  expect(await verified(here)).toEqual({ code: 2, kind: "rolled back" });
  expect(await call(here)).toBe("CREDENTIAL_STORE");
  expect(await here.svc("auth", "token", "list")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/audit log is an older copy: it ends at line \d+/),
  });
}, 60_000);

test("a store that was removed with its anchor and created again grants nothing of the old one", async () => {
  const here = await scene();
  for (const file of DATABASE) {
    rmSync(join(here.place.data, "credentials", file), { force: true });
  }
  rmSync(join(here.keys, "credentials.anchor"));
  const result = await here.svc("auth", "token", "create", "--name", "new");
  expect(result.code).toBe(0);
  expect((await here.svc("auth", "token", "list")).code).toBe(0);
  rollBackStore(here);
  expect(await call(here)).toBe("CREDENTIAL_STORE");
}, 60_000);
