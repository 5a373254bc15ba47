import { expect, test } from "vitest";

import { resolveSettings, withFlags } from "../../src/config/resolve-settings.ts";
import {
  SETTING_NAMES,
  settingDefinition,
  type SettingName,
} from "../../src/config/setting-definitions.ts";
import { isNamespaceName } from "../../src/sources/namespace.ts";

const HOME = "/home/ann";
const FILE = "/home/ann/.config/svc/config.json";

interface Layers {
  readonly flag?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: unknown;
}

function resolve(name: SettingName, { flag, env = {}, file }: Layers) {
  const { settings, problems } = resolveSettings({
    env,
    file: {
      path: FILE,
      entries: new Map(file === undefined ? [] : [[name, file]]),
      problem: undefined,
      isDamaged: false,
    },
    home: HOME,
  });
  const flags = { [settingDefinition(name).flag ?? ""]: flag };
  const setting = withFlags(settings, flags).find((one) => one.name === name);
  return { ...setting, problems: problems.map(({ detail }) => detail) };
}

/** A value of each setting for each origin, all different if the type allows it. */
const SAMPLES = [
  { name: "namespace", flag: "a", variable: "SERVICE_NAMESPACE", text: "b", file: "c" },
  { name: "log_level", variable: "SERVICE_LOG_LEVEL", text: "debug", file: "warn" },
  { name: "debug", variable: "SERVICE_DEBUG", text: "false", file: true, fallback: false },
  { name: "debug", variable: "SERVICE_DEBUG", text: "true", file: false, fallback: false },
  { name: "color", variable: "NO_COLOR", text: "1", value: "never", file: "always" },
  { name: "color", variable: "FORCE_COLOR", text: "1", value: "always", file: "never" },
  {
    name: "hyperlinks",
    variable: "SERVICE_HYPERLINKS",
    text: "always",
    value: "always",
    file: "never",
  },
  { name: "pager", variable: "SVC_PAGER", text: "most -s", file: "less -S" },
  { name: "embeddings", variable: "SERVICE_EMBEDDINGS", text: "/b", file: "/c" },
  {
    name: "backend",
    flag: "postgres://a/svc",
    variable: "SERVICE_BACKEND",
    text: "postgres://b/svc",
    file: "postgres://c/svc",
  },
  { name: "cache", variable: "SERVICE_CACHE", text: "/b", file: "/c" },
  {
    name: "cache_limit",
    flag: "1MB",
    variable: "SERVICE_CACHE_LIMIT",
    text: "2 gb",
    value: "2 GB",
    file: "3TB",
  },
  {
    name: "shard_chunks",
    variable: "SERVICE_SHARD_CHUNKS",
    text: "1000",
    value: 1000,
    file: 5_000_000,
  },
  {
    name: "node_url",
    flag: "http://10.0.0.5:7420",
    variable: "SERVICE_NODE_URL",
    text: "https://node-1.example.org",
    file: "http://[::1]:7420/svc",
  },
  {
    name: "remote",
    flag: "https://a.example.org",
    variable: "SERVICE_REMOTE",
    text: "http://127.0.0.1:7333",
    file: "https://c.example.org/svc",
  },
  { name: "data_key_file", variable: "SERVICE_DATA_KEY_FILE", text: "/b", file: "/c" },
  { name: "audit_query", variable: "SERVICE_AUDIT_QUERY", text: "false", file: true },
  {
    name: "queue_timeout_seconds",
    variable: "SERVICE_QUEUE_TIMEOUT_SECONDS",
    text: "5",
    value: 5,
    file: 25,
  },
  { name: "release_key", variable: "SERVICE_RELEASE_KEY", text: "/b.pub", file: "/c.pub" },
] as const;

test("the samples cover all settings that a file may contain", () => {
  const inFile = SETTING_NAMES.filter((name) => settingDefinition(name).isAllowedInFile);
  expect([...new Set(SAMPLES.map(({ name }) => name))]).toEqual(inFile);
});

const CASES = SAMPLES.flatMap((sample) => {
  const { name, variable, text } = sample;
  const value = "value" in sample ? sample.value : parsed(text);
  const layers = [
    ...("flag" in sample
      ? [
          {
            is: "flag",
            given: { flag: sample.flag },
            value: sample.flag,
            source: `--${settingDefinition(name).flag}`,
          },
        ]
      : []),
    { is: "environment", given: { env: { [variable]: text } }, value, source: variable },
    { is: "file", given: { file: sample.file }, value: sample.file, source: FILE },
    { is: "default", given: {}, value: settingDefinition(name).default, source: undefined },
  ];
  return layers.flatMap((upper, at) => layers.slice(at).map((lower) => ({ name, upper, lower })));
});

function parsed(text: string): boolean | string {
  return text === "true" || (text !== "false" && text);
}

test.each(CASES)("$name: $upper.is overrides $lower.is", ({ name, upper, lower }) => {
  expect(resolve(name, { ...lower.given, ...upper.given })).toEqual({
    name,
    value: upper.value,
    isSet: upper.value !== undefined,
    origin: upper.is,
    source: upper.source,
    problems: [],
  });
});

test.each([
  [{ CLICOLOR_FORCE: "1" }, "always"],
  [{ CLICOLOR_FORCE: "0" }, "auto"],
  [{ CLICOLOR: "0" }, "never"],
  [{ CLICOLOR: "1" }, "auto"],
  [{ CLICOLOR_FORCE: "1", CLICOLOR: "0" }, "always"],
  [{ CLICOLOR_FORCE: "1", NO_COLOR: "1" }, "never"],
])("%j sets color to %s", (env, value) => {
  expect(resolve("color", { env })).toMatchObject({ value });
});

test("FORCE_COLOR overrides NO_COLOR", () => {
  const env = { FORCE_COLOR: "1", NO_COLOR: "1" };
  expect(resolve("color", { env })).toMatchObject({ value: "always", source: "FORCE_COLOR" });
});

test.each([
  ["namespace", "SERVICE_NAMESPACE", "My Project"],
  ["log_level", "SERVICE_LOG_LEVEL", "loud"],
  ["debug", "SERVICE_DEBUG", "maybe"],
  ["audit_query", "SERVICE_AUDIT_QUERY", "2"],
  ["queue_timeout_seconds", "SERVICE_QUEUE_TIMEOUT_SECONDS", "26"],
  ["queue_timeout_seconds", "SERVICE_QUEUE_TIMEOUT_SECONDS", "-1"],
  ["queue_timeout_seconds", "SERVICE_QUEUE_TIMEOUT_SECONDS", "1s"],
] as const)("%s: an invalid variable is a problem, and the next origin applies", (...row) => {
  const [name, variable, text] = row;
  const { origin, problems } = resolve(name, { env: { [variable]: text } });
  expect(origin).toBe("default");
  expect(problems).toEqual([
    expect.stringMatching(
      new RegExp(`^${variable} is "${text}"\\. Set it to .*leave it unset\\.$`),
    ),
  ]);
});

test.each([
  ["TRUE", true],
  ["1", true],
  [" on ", true],
  ["yes", true],
  ["no", false],
  ["off", false],
  ["0", false],
])("a switch reads %j as %j", (text, value) => {
  expect(resolve("audit_query", { env: { SERVICE_AUDIT_QUERY: text } }).value).toBe(value);
});

test("a path in the environment becomes absolute, and `~` the home directory", () => {
  expect(resolve("embeddings", { env: { SERVICE_EMBEDDINGS: "~/m" } }).value).toBe("/home/ann/m");
  expect(resolve("embeddings", { file: "~/m" }).value).toBe("/home/ann/m");
});

test.each<[SettingName, unknown]>([
  ["namespace", "My Project"],
  ["namespace", 1],
  ["log_level", "loud"],
  ["log_level", true],
  ["debug", "true"],
  ["debug", 1],
  ["color", null],
  ["embeddings", "models/m"],
  ["embeddings", ""],
  ["data_key_file", ["/k"]],
  ["audit_query", {}],
  ["queue_timeout_seconds", "5"],
  ["queue_timeout_seconds", 0.5],
  ["queue_timeout_seconds", true],
  ["debug", 0],
])("%s: the problem for %j in the file has the value, the key and a fix", (name, file) => {
  const { origin, problems } = resolve(name, { file });
  expect(origin).toBe("default");
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`${FILE}: ${name} is ${JSON.stringify(file)}. Set it to `);
  expect(problems[0]).toContain(`svc config set ${name} VALUE`);
  expect(problems[0]).toContain(`svc config unset ${name}`);
});

test.each(["token", "passphrase", "home", "config_home"] as const)(
  "%s is not allowed in the file, and its value is not shown",
  (name) => {
    const { isSet, problems } = resolve(name, { file: "/svt_1234567890" });
    expect(isSet).toBe(false);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`svc config unset ${name}`);
    expect(problems[0]).toContain(`Set ${settingDefinition(name).variables[0]} instead`);
    expect(problems[0]).not.toContain("svt_");
  },
);

test.each([
  ["namespce", "Did you mean namespace?"],
  ["LogLevel", "Did you mean log_level?"],
  ["log-level", "Did you mean log_level?"],
  ["SERVICE_EMBEDDINGS", "Did you mean embeddings?"],
  ["telemetry", "there is no setting"],
  ["__proto__", "there is no setting"],
])("the problem for the unknown key %s names it and the closest key", (key, text) => {
  const entries = new Map([[key, "x"]]);
  const file = { path: FILE, entries, problem: undefined, isDamaged: false };
  const { problems } = resolveSettings({ env: {}, file, home: HOME });
  expect(problems).toHaveLength(1);
  expect(problems[0]?.detail).toContain(text);
  expect(problems[0]?.detail).toContain(`svc config unset ${key}`);
});

test.each(["a", "a.b-c_9", "9", "A", ".a", "-a", "", "a b", "a".repeat(64), "a".repeat(65), "ä"])(
  "the setting accepts the namespace %j only if isNamespaceName does",
  (name) => {
    expect(resolve("namespace", { file: name }).origin === "file").toBe(isNamespaceName(name));
  },
);
