import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { SETTING_NAMES, settingDefinition } from "../../../src/config/setting-definitions.ts";
import { createMachine } from "../../helpers/cli.ts";
import { createPlace, exitCode, startProgram } from "../../spec/program.ts";

/** No other setting is in the environment. */
const ONLY_PASSPHRASE = { SERVICE_DATA_KEY_FILE: "", SERVICE_PASSPHRASE: "correct horse battery" };

function configuredMachine(text?: string, env: Readonly<Record<string, string>> = {}) {
  const machine = createMachine({}, { ...ONLY_PASSPHRASE, ...env });
  onTestFinished(machine.dispose);
  const file = join(machine.config, "config.json");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  return { ...machine, file, stored: (): unknown => JSON.parse(readFileSync(file, "utf8")) };
}

/** A value of each setting as typed, and as stored in the file. */
const VALUES: Readonly<
  Record<string, readonly [typed: string, stored: boolean | number | string]>
> = {
  namespace: ["backend", "backend"],
  log_level: ["DEBUG", "debug"],
  debug: ["on", true],
  color: ["never", "never"],
  hyperlinks: ["always", "always"],
  pager: ["less -S", "less -S"],
  embeddings: ["/models/m/", "/models/m"],
  backend: ["postgres://db/svc", "postgres://db/svc"],
  cache: ["/copies/", "/copies"],
  cache_limit: ["1.5gb", "1.5GB"],
  shard_chunks: ["1000000", 1_000_000],
  node_url: ["http://10.0.0.5:7420", "http://10.0.0.5:7420"],
  remote: ["https://svc.example.org", "https://svc.example.org"],
  data_key_file: ["/keys/k", "/keys/k"],
  audit_query: ["true", true],
  queue_timeout_seconds: ["5", 5],
  release_key: ["/keys/svc.pub", "/keys/svc.pub"],
};

test("the test has a value for each setting of the file", () => {
  expect(Object.keys(VALUES)).toEqual(
    SETTING_NAMES.filter((name) => settingDefinition(name).isAllowedInFile),
  );
});

test.each(Object.entries(VALUES))("%s is set, got and unset", async (name, [typed, stored]) => {
  const here = configuredMachine();
  const before = await here.svc("config", "get", name);
  const set = await here.svc("config", "set", name, typed);
  expect(set).toEqual({
    code: 0,
    out: "",
    err: `Set ${name} to ${String(stored)} in ${here.file}.\n`,
  });
  expect(here.stored()).toEqual({ [name]: stored });
  expect(await here.svc("config", "get", name)).toEqual({ code: 0, out: `${stored}\n`, err: "" });
  expect(await here.svc("config", "unset", name)).toEqual({
    code: 0,
    out: "",
    err: `Removed ${name} from ${here.file}.\n`,
  });
  expect(here.stored()).toEqual({});
  expect(await here.svc("config", "get", name)).toEqual(before);
});

test("`~` and a relative path become absolute", async () => {
  const here = configuredMachine();
  await here.svc("config", "set", "embeddings", "~/models/m");
  expect(here.stored()).toEqual({ embeddings: join(here.home, "models/m") });
});

test.each([
  ["log_level", "loud", "Set it to info, debug or warn."],
  ["debug", "maybe", "Set it to true or false."],
  ["namespace", "My Project", "1 to 64 of a-z"],
  ["embeddings", " ", "an absolute path"],
  ["queue_timeout_seconds", "60", "Set it to a whole number from 0 to 25."],
])("%s cannot be %j", async (name, value, hint) => {
  const here = configuredMachine();
  const { code, err } = await here.svc("config", "set", name, value);
  expect(code).toBe(2);
  expect(err).toContain(`${name} cannot be "${value}".`);
  expect(err).toContain(hint);
  expect(existsSync(here.file)).toBe(false);
});

test.each([
  ["token", "SERVICE_TOKEN in the environment or save a token with `svc auth token create --save`"],
  ["passphrase", "SERVICE_PASSPHRASE in the environment"],
  ["home", "SERVICE_HOME in the environment"],
  ["config_home", "SERVICE_CONFIG_HOME in the environment"],
])("%s does not go into the file, and its value is not repeated", async (name, hint) => {
  const here = configuredMachine();
  const { code, out, err } = await here.svc("config", "set", name, "/hush-hush");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(`Set ${hint}.`);
  expect(err).not.toContain("hush-hush");
  expect(existsSync(here.file)).toBe(false);
});

test("an unknown name is refused with the nearest one", async () => {
  const { code, err } = await configuredMachine().svc("config", "set", "namespce", "a");
  expect(code).toBe(2);
  expect(err).toContain("Did you mean namespace?");
});

test("the command warns if the environment overrides the written value", async () => {
  const here = configuredMachine(undefined, { SERVICE_NAMESPACE: "a" });
  const { code, err } = await here.svc("config", "set", "namespace", "b");
  expect(code).toBe(0);
  expect(err).toContain("SERVICE_NAMESPACE is set in the environment and overrides the file.");
});

test("a file with several faults is fixed one by one, and each step reports the rest", async () => {
  const here = configuredMachine('{"log_level": "loud", "namespce": "a", "debug": true}');
  const first = await here.svc("config", "set", "log_level", "warn");
  expect(first.code).toBe(0);
  expect(first.err).toContain('there is no setting "namespce"');
  const second = await here.svc("config", "unset", "namespce");
  expect(second.err).toBe(`Removed namespce from ${here.file}.\n`);
  expect(here.stored()).toEqual({ log_level: "warn", debug: true });
  expect((await here.svc("status")).code).toBe(0);
});

test("a damaged file is put aside for a new one", async () => {
  const here = configuredMachine("{ debug: true");
  const { code, err } = await here.svc("config", "set", "debug", "true");
  expect(code).toBe(0);
  expect(err).toContain(`The damaged file is kept as ${here.file}.damaged-1.`);
  expect(here.stored()).toEqual({ debug: true });
  expect((await here.svc("status")).code).toBe(0);
});

/** Runs the real program with a folder of settings that holds this file. */
async function callProgram(text: string | undefined, ...commands: readonly string[][]) {
  const place = createPlace();
  onTestFinished(place.remove);
  const config = join(place.home, "settings");
  mkdirSync(config);
  const file = join(config, "config.json");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  const runs = commands.map(async (words) => {
    const child = startProgram(place, words, { SERVICE_CONFIG_HOME: config });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (part: string) => (stdout += part));
    child.stderr.on("data", (part: string) => (stderr += part));
    return { exit: await exitCode(child), stdout, stderr };
  });
  return { runs: await Promise.all(runs), file };
}

test("settings that processes change at the same time are all kept", async () => {
  const changes = Object.entries(VALUES).map(([name, [typed]]) => ["config", "set", name, typed]);
  const { runs, file } = await callProgram(undefined, ...changes);
  expect(runs.map(({ exit }) => exit)).toEqual(changes.map(() => 0));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(
    Object.fromEntries(Object.entries(VALUES).map(([name, [, stored]]) => [name, stored])),
  );
}, 30_000);

test.each([
  [["--version"], /^\d+\.\d+\.\d+\n$/],
  [["--help"], /^Usage$/m],
  [["help", "search"], /^Usage$/m],
  [["config", "set", "--help"], /^Usage$/m],
])("%j needs no settings", async (words, text) => {
  const { runs } = await callProgram("{ damaged", words);
  expect(runs).toEqual([{ exit: 0, stdout: expect.stringMatching(text), stderr: "" }]);
});

test("the colour setting of the file applies to help too", async () => {
  const { runs } = await callProgram('{"color": "always"}', ["--help"]);
  expect(runs[0]?.stdout).toContain("\u001B[");
});
