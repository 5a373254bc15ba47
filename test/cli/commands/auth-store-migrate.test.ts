import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { CliRun } from "../../helpers/cli.ts";
import { createTokenFor } from "../../spec/commands-here.ts";
import { createPlace, svc as runOn } from "../../spec/program.ts";
import { startServer } from "../../spec/stdio-client.ts";
import { credentialMachine, type CredentialMachine } from "../credential-machine.ts";
import { runProgram } from "../process.ts";

const migrate = ["auth", "store", "migrate"] as const;
const SLOW = { timeout: 60_000 };

/** The same machine with other variables. */
function withEnv(
  { data, config }: CredentialMachine,
  env: Readonly<Record<string, string>>,
): CredentialMachine {
  const same = { SERVICE_HOME: data, SERVICE_CONFIG_HOME: config, SERVICE_DATA_KEY_FILE: "" };
  return credentialMachine({ ...same, ...env });
}

async function withToken(): Promise<CredentialMachine> {
  const machine = credentialMachine();
  await machine.svc("auth", "token", "create", "--name", "laptop", "--save");
  return machine;
}

/** A migration by the program itself, with `input` on standard input. */
function run(
  machine: CredentialMachine,
  input: string,
  env: Readonly<Record<string, string>>,
): Promise<CliRun> {
  return runProgram(machine, [...migrate, "--to", "passphrase"], { env, input });
}

test("without a store there is nothing to migrate", async () => {
  const { svc } = credentialMachine();
  for (const to of ["file", "passphrase", "keychain"]) {
    const { code, out, err } = await svc(...migrate, "--to", to);
    expect([to, code, out]).toEqual([to, 2, ""]);
    expect(err).toContain("no credential store");
  }
});

test("to a file in a missing folder is refused, and changes nothing", async () => {
  const machine = await withToken();
  const folder = join(machine.home, "stick");
  const flags = ["--to", "file", "--key-file", join(folder, "new.key")];
  expect(await machine.svc(...migrate, ...flags)).toEqual({
    code: 2,
    out: "",
    err: `svc: "${folder}" does not exist or cannot be read.\nName an existing directory that you may read.\n`,
  });
  expect(existsSync(machine.keyFile)).toBe(true);
});

test("to another file: every credential stays, the old key is removed", async () => {
  const machine = await withToken();
  const path = join(machine.home, "new.key");
  const { code, out } = await machine.svc(...migrate, "--to", "file", "--key-file", path);
  expect([code, out]).toEqual([
    0,
    "The credential store is encrypted with a new key: a key file.\n",
  ]);
  expect([existsSync(path), existsSync(machine.keyFile)]).toEqual([true, false]);
  const moved = withEnv(machine, { SERVICE_DATA_KEY_FILE: path });
  expect(await moved.json("auth", "token", "list")).toMatchObject([
    { name: "laptop", default: true },
  ]);
});

test(
  "to a passphrase and to another one: SERVICE_PASSPHRASE is the new, then the present one",
  SLOW,
  async () => {
    const machine = await withToken();
    const first = withEnv(machine, {
      SERVICE_PASSPHRASE: "first",
      SERVICE_DATA_KEY_FILE: machine.keyFile,
    });
    const { code, out, err } = await first.svc(...migrate, "--to", "passphrase");
    expect([code, out]).toEqual([
      0,
      "The credential store is encrypted with a new key: a passphrase (before: a key file).\n",
    ]);
    expect(err).toContain("Set SERVICE_PASSPHRASE to the new passphrase wherever svc runs.\n");
    expect(await run(machine, "second\n", { SERVICE_PASSPHRASE: "first" })).toEqual({
      code: 0,
      out: "The credential store is encrypted with a new key: a passphrase.\n",
      err: "Set SERVICE_PASSPHRASE to the new passphrase wherever svc runs.\n",
    });
    const refused = await first.svc("auth", "token", "list");
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("The passphrase is not the one of this credential store.");
    const second = withEnv(machine, { SERVICE_PASSPHRASE: "second" });
    expect(await second.json("auth", "token", "list")).toMatchObject([{ name: "laptop" }]);
  },
);

test(
  "a passphrase is read from standard input, and an empty one changes nothing",
  SLOW,
  async () => {
    const machine = await withToken();
    const env = { SERVICE_DATA_KEY_FILE: machine.keyFile };
    const { code, out, err } = await run(machine, "\n", env);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining("The passphrase is empty.")]);
    expect(await machine.json("auth", "store", "status")).toMatchObject({ key_source: "file" });
    expect((await run(machine, "sesame\nmore", env)).code).toBe(0);
    const opened = withEnv(machine, { SERVICE_PASSPHRASE: "sesame" });
    expect(await opened.json("auth", "store", "status")).toMatchObject({
      key_source: "passphrase",
      credentials: { active: 1 },
      problem: null,
    });
  },
);

test("with the wrong current passphrase the command does not ask for a new one", SLOW, async () => {
  const machine = await withToken();
  const env = { SERVICE_PASSPHRASE: "right", SERVICE_DATA_KEY_FILE: machine.keyFile };
  await withEnv(machine, env).svc(...migrate, "--to", "passphrase");
  for (const wrong of [{ SERVICE_PASSPHRASE: "wrong" }, {}]) {
    const { code, out, err } = await run(machine, "new\n", wrong);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/passphrase/);
    expect(err).toContain("SERVICE_PASSPHRASE");
  }
});

test("--to is required and one of three; --key-file works only with a file", async () => {
  const { svc } = credentialMachine();
  expect((await svc(...migrate)).err).toContain("--to is required");
  expect((await svc(...migrate, "--to", "keychian")).err).toContain("Did you mean keychain?");
  expect((await svc(...migrate, "--to", "keychain", "--key-file", "k")).err).toContain(
    "--key-file needs --to file.",
  );
});

test("no flag takes a passphrase", async () => {
  const { svc } = credentialMachine();
  const { code, err } = await svc(...migrate, "--to", "passphrase", "--passphrase", "x");
  expect([code, err]).toEqual([2, expect.stringContaining("There is no flag --passphrase")]);
});

test("a running server continues with the new key", SLOW, async () => {
  const place = createPlace();
  onTestFinished(place.remove);
  const { token } = await createTokenFor(place);
  const server = startServer(place, { SERVICE_TOKEN: token });
  const { error: before } = await server.request("tools/list");
  const path = join(place.home, "new.key");
  const { exit } = await runOn(place, ...migrate, "--to", "file", "--key-file", path);
  const { error: after } = await server.request("tools/list");
  expect([before, exit, after]).toEqual([undefined, 0, undefined]);
  await server.close();
});
