// A store that can be read but not written: reading commands still work, others report why they fail.
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { credentialMachine } from "../credential-machine.ts";
import { runProgram } from "../process.ts";

/** Modes of files hold for root only without these capabilities. */
const AS_ANY_USER = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

test(
  "lists and status work, changes are refused and change nothing",
  { timeout: 60_000 },
  async () => {
    const machine = credentialMachine();
    const { svc, json, data } = machine;
    const create = ["auth", "keys", "create", "--namespace", "docs", "--name"];
    const id = /key_[0-9a-f]{16}/.exec((await svc(...create, "ci")).err)?.[0] ?? "";
    const store = join(data, "credentials");
    for (const name of readdirSync(store)) chmodSync(join(store, name), 0o400);
    chmodSync(store, 0o500);

    const through = process.getuid?.() === 0 ? AS_ANY_USER : [];
    const run = (...words: readonly string[]) => runProgram(machine, words, { through });
    expect(await run("auth", "keys", "list")).toMatchObject({
      code: 0,
      out: expect.stringContaining(id),
    });
    expect(await run("auth", "token", "list", "--json")).toEqual({ code: 0, out: "[]\n", err: "" });
    const { code: ended, out: status } = await run("auth", "store", "status");
    expect([ended, status]).toEqual([0, expect.stringMatching(/\nAccess +read-only/)]);
    for (const change of [
      [...create, "new"],
      ["auth", "token", "create", "--name", "new"],
      ["auth", "keys", "revoke", id],
    ]) {
      const { code, out, err } = await run(...change);
      expect([change, code, out]).toEqual([change, 2, ""]);
      expect(err).toMatch(/credential store/);
      expect(err).not.toMatch(/internal/);
    }

    chmodSync(store, 0o700);
    for (const name of readdirSync(store)) chmodSync(join(store, name), 0o600);
    expect(await json("auth", "keys", "list")).toMatchObject([{ key_id: id }]);
  },
);
