import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMachine } from "../../helpers/cli.ts";

function configuredMachine(text?: string, env: Readonly<Record<string, string>> = {}) {
  const machine = createMachine({}, env);
  onTestFinished(machine.dispose);
  const file = join(machine.config, "config.json");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  return { ...machine, file };
}

test("a setting that is not in the file is not an error, and creates no file", async () => {
  const { svc, file } = configuredMachine();
  expect(await svc("config", "unset", "debug")).toEqual({
    code: 0,
    out: "",
    err: `debug is not in ${file}.\n`,
  });
  expect(existsSync(file)).toBe(false);
});

test("a name that is neither a setting nor in the file is refused", async () => {
  const { code, err } = await configuredMachine('{"debug": true}').svc("config", "unset", "debgu");
  expect(code).toBe(2);
  expect(err).toContain("Did you mean debug?");
});

test.each(["token", "namespce", "a.b"])("%s, which no file may hold, is taken out", async (key) => {
  const { svc, file } = configuredMachine(JSON.stringify({ [key]: "svt_1234567890", debug: true }));
  const { code, err } = await svc("config", "unset", key);
  expect([code, err]).toEqual([0, `Removed ${key} from ${file}.\n`]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ debug: true });
});

test("the command warns if the environment still sets it", async () => {
  const { svc } = configuredMachine('{"namespace": "b"}', { SERVICE_NAMESPACE: "a" });
  const { err } = await svc("config", "unset", "namespace");
  expect(err).toContain("SERVICE_NAMESPACE is set in the environment and overrides the file.");
});

test("a damaged file is not changed", async () => {
  const { svc, file } = configuredMachine("{ damaged");
  const { code, err } = await svc("config", "unset", "debug");
  expect(code).toBe(2);
  expect(err).toContain("is not JSON");
  expect(readFileSync(file, "utf8")).toBe("{ damaged");
});
