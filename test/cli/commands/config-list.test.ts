import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { SETTING_NAMES } from "../../../src/config/setting-definitions.ts";
import { createMachine } from "../../helpers/cli.ts";

/** No other setting is in the environment. */
const ONLY_PASSPHRASE = { SERVICE_DATA_KEY_FILE: "", SERVICE_PASSPHRASE: "correct horse battery" };

/** A machine with this config.json and environment. */
function configuredMachine(text?: string, env: Readonly<Record<string, string>> = {}) {
  const machine = createMachine({}, { ...ONLY_PASSPHRASE, ...env });
  onTestFinished(machine.dispose);
  const file = join(machine.config, "config.json");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  return { ...machine, file };
}

test("every setting is shown, in the order of the table", async () => {
  const { code, out, err } = await configuredMachine().svc("config", "list");
  expect([code, err]).toEqual([0, ""]);
  const [titles, ...lines] = out.trimEnd().split("\n");
  expect(titles).toMatch(/^SETTING +VALUE$/);
  expect(lines.map((line) => line.split(" ")[0])).toEqual(SETTING_NAMES);
  expect(out).toMatch(/^log_level +\(not set: info for servers, warn for other commands\)$/m);
});

test("--origin names the flag, the variable, the file or the default", async () => {
  const here = configuredMachine('{"color": "always", "log_level": "debug"}', {
    SERVICE_LOG_LEVEL: "warn",
    SERVICE_AUDIT_QUERY: "1",
  });
  const { out } = await here.svc("config", "list", "--origin", "--namespace", "backend");
  const rows = out.split("\n").map((line) => line.split(/\s{2,}/));
  const origins = Object.fromEntries(rows.map(([name, value, origin]) => [name, [value, origin]]));
  expect(origins).toMatchObject({
    namespace: ["backend", "--namespace"],
    log_level: ["warn", "SERVICE_LOG_LEVEL"],
    debug: ["false", "default"],
    color: ["always", here.file],
    audit_query: ["true", "SERVICE_AUDIT_QUERY"],
    home: [here.data, "SERVICE_HOME"],
    token: [expect.stringContaining("(not set"), "default"],
    passphrase: ["(set)", "SERVICE_PASSPHRASE"],
  });
});

test("--json prints every setting with its origin, and null for a missing value", async () => {
  const { svc, file } = configuredMachine('{"debug": true}');
  const { code, out } = await svc("config", "list", "--json");
  expect(code).toBe(0);
  const settings: readonly { readonly name: string }[] = JSON.parse(out);
  expect(settings.map(({ name }) => name)).toEqual(SETTING_NAMES);
  expect(settings).toContainEqual({
    name: "namespace",
    value: null,
    set: false,
    origin: "default",
    source: null,
  });
  expect(settings).toContainEqual({
    name: "debug",
    value: true,
    set: true,
    origin: "file",
    source: file,
  });
  expect(settings).toContainEqual({
    name: "passphrase",
    value: null,
    set: true,
    origin: "environment",
    source: "SERVICE_PASSPHRASE",
  });
});

test.each([[], ["--origin"], ["--json"]])("no secret is shown with %j", async (...flags) => {
  const { svc } = configuredMachine(undefined, {
    SERVICE_TOKEN: "svt_this_is_one",
    SERVICE_PASSPHRASE: "hush",
  });
  const { out, err } = await svc("config", "list", ...flags);
  expect(out + err).not.toMatch(/svt_this|hush/);
});

test("problems of the file are reported in addition to the list", async () => {
  const here = configuredMachine(
    '{"namespce": "a", "log_level": "loud", "debug": true, "token": "svt_secret1"}',
  );
  const { code, out, err } = await here.svc("config", "list", "--origin");
  expect(code).toBe(2);
  expect(out).toMatch(/^debug +true +\S+config\.json$/m);
  expect(err.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^svc: .*config\.json: there is no setting "namespce"\. Did you mean/),
    expect.stringMatching(
      /^svc: .*config\.json: log_level is "loud"\. Set it to info, debug or warn/,
    ),
    expect.stringMatching(/^svc: .*config\.json: token is a secret and must not be in a file\./),
  ]);
  expect(out + err).not.toContain("svt_secret");
});

test("a damaged file hides no setting of other places", async () => {
  const { svc, file } = configuredMachine("{", { SERVICE_NAMESPACE: "a" });
  const { code, out, err } = await svc("config", "list");
  expect(code).toBe(2);
  expect(out).toMatch(/^namespace +a$/m);
  expect(err).toContain(`${file} is not JSON`);
});

test("control characters of the file do not reach the terminal", async () => {
  const { svc } = configuredMachine(
    JSON.stringify({ "\u001B[31mred": 1, embeddings: "/\u001B[2Jm" }),
  );
  const { out, err } = await svc("config", "list");
  expect(out + err).not.toContain("\u001B");
});

test("other commands refuse to run with such a file, and report the problem", async () => {
  const { svc } = configuredMachine('{"log_level": "loud"}');
  const { code, out, err } = await svc("status");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain('config.json: log_level is "loud".');
  expect(err).toContain("svc config unset log_level");
});
