import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { assert, property, shuffledSubarray } from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { SETTING_NAMES, settingDefinition } from "../../src/config/setting-definitions.ts";
import { readSettingsFile } from "../../src/config/settings-file.ts";
import { changeSettingsFile } from "../../src/config/settings-writer.ts";
import { tree } from "../helpers/tree.ts";

const WRITER = new URL("../../src/config/settings-writer.ts", import.meta.url).href;
const NOBODY = 65_534;

function folder(): string {
  const place = tree();
  onTestFinished(place.dispose);
  return place.path;
}

/** Writes a file with this content and applies changes in order. */
function changed(
  content: string | undefined,
  ...changes: [key: string, value?: boolean | string][]
) {
  const path = join(folder(), "config.json");
  if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
  const results = changes.map(([key, value]) => changeSettingsFile(path, { key, value }));
  return { path, text: readFileSync(path, "utf8"), results };
}

test("the folder and the file are created, accessible only to their owner", () => {
  const path = join(folder(), "a/svc/config.json");
  changeSettingsFile(path, { key: "debug", value: true });
  expect(readFileSync(path, "utf8")).toBe('{\n  "debug": true\n}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(join(path, ".."))) {
    expect(statSync(join(path, "..", name)).mode & 0o777).toBe(0o600);
  }
});

test("settings are in the order of SETTINGS, whatever the order of writing", () => {
  const inFile = SETTING_NAMES.filter((name) => settingDefinition(name).isAllowedInFile);
  const order = shuffledSubarray(inFile, { minLength: inFile.length });
  assert(
    property(order, (names) => {
      const { text } = changed("{}", ...names.map((name): [string, string] => [name, "x"]));
      expect(Object.keys(JSON.parse(text))).toEqual(inFile);
    }),
    { numRuns: 5 },
  );
});

test("existing entries stay, including unknown ones", () => {
  const before = '{"zebra": {"a.b": [1, null]}, "color": 7, "namespace": "a", "a.b": 1}';
  const { text } = changed(before, ["log_level", "info"], ["namespace"]);
  expect(JSON.parse(text)).toEqual({
    zebra: { "a.b": [1, null] },
    color: 7,
    log_level: "info",
    "a.b": 1,
  });
});

test.each(["zebra", "a.b", "__proto__", "constructor", "__internal__", ""])(
  "only the key %j is removed",
  (key) => {
    const before = `{"debug": true, "a": {"b": 1}, ${JSON.stringify(key)}: 1}`;
    const { text, results } = changed(before, [key]);
    expect(results).toEqual([{ isChanged: true, damagedFile: undefined }]);
    expect(JSON.parse(text)).toEqual({ debug: true, a: { b: 1 } });
  },
);

test("removing a missing key changes nothing and creates no folder", () => {
  const path = join(folder(), "svc/config.json");
  const change = { key: "debug", value: undefined };
  expect(changeSettingsFile(path, change).isChanged).toBe(false);
  expect(existsSync(join(path, ".."))).toBe(false);
});

test("a damaged file is kept next to the new one, each under its own name", () => {
  const { path, text, results } = changed("{ damaged", ["debug", true]);
  expect(JSON.parse(text)).toEqual({ debug: true });
  expect(results).toEqual([{ isChanged: true, damagedFile: `${path}.damaged-1` }]);
  expect(readFileSync(`${path}.damaged-1`, "utf8")).toBe("{ damaged");
  writeFileSync(path, "again", { mode: 0o600 });
  const { damagedFile } = changeSettingsFile(path, { key: "debug", value: false });
  expect(damagedFile).toBe(`${path}.damaged-2`);
  expect(readFileSync(`${path}.damaged-1`, "utf8")).toBe("{ damaged");
});

test("no key can be removed from a damaged file, which stays unchanged", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, "{ damaged", { mode: 0o600 });
  const change = { key: "debug", value: undefined };
  expect(() => changeSettingsFile(path, change)).toThrow("is not JSON");
  expect(readFileSync(path, "utf8")).toBe("{ damaged");
});

test("a file that other users can write is not copied into a trusted one", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, '{"embeddings":"/planted"}');
  chmodSync(path, 0o666);
  const change = { key: "debug", value: true };
  expect(() => changeSettingsFile(path, change)).toThrow("can be written by other users");
  expect(readFileSync(path, "utf8")).toBe('{"embeddings":"/planted"}');
});

test("a link to the file stays a link", () => {
  const path = folder();
  writeFileSync(join(path, "dotfile.json"), "{}", { mode: 0o600 });
  mkdirSync(join(path, "svc"));
  symlinkSync("../dotfile.json", join(path, "svc/config.json"));
  changeSettingsFile(join(path, "svc/config.json"), { key: "debug", value: true });
  expect(readFileSync(join(path, "dotfile.json"), "utf8")).toContain('"debug": true');
});

/** Starts a process that changes settings, or waits while it holds the lock. */
function start(script: string, ...args: readonly string[]) {
  const code = `const { changeSettingsFile } = await import(${JSON.stringify(WRITER)});\n${script}`;
  const words = ["--input-type=module", "-e", code, ...args];
  return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((closed) => void child.once("close", closed));
}

const WRITE_MANY = `
  const [path, name] = process.argv.slice(1);
  for (let number = 0; number < 15; number++) {
    changeSettingsFile(path, { key: name + number, value: "x".repeat(number) });
    if (number % 3 === 2) changeSettingsFile(path, { key: name + (number - 1), value: undefined });
  }
`;

test("no change is lost when many processes change one file", async () => {
  const path = join(folder(), "config.json");
  const names = ["a", "b", "c", "d", "e", "f"];
  const children = names.map((name) => start(WRITE_MANY, path, name));
  expect(await Promise.all(children.map(exitCode))).toEqual(names.map(() => 0));
  const expected = names.flatMap((name) =>
    Array.from({ length: 15 }, (_, number) => [`${name}${number}`, "x".repeat(number)]).filter(
      (_, number) => number % 3 !== 1,
    ),
  );
  expect(Object.fromEntries(readSettingsFile(path).entries)).toEqual(Object.fromEntries(expected));
  expect(readdirSync(join(path, "..")).toSorted()).toEqual(["config.json", "config.lock"]);
}, 30_000);

const HOLD = `
  const { takeExclusiveLock } = await import(process.argv[1]);
  takeExclusiveLock(process.argv[2], 0);
  console.log("held");
  setInterval(() => {}, 1000);
`;

test("the lock of a killed process is released", async () => {
  const path = join(folder(), "config.json");
  const lock = new URL("../base/exclusive-lock.ts", WRITER).href;
  const holder = start(HOLD, lock, join(path, "../config.lock"));
  await new Promise((held) => void holder.stdout.once("data", held));
  holder.kill("SIGKILL");
  await exitCode(holder);
  changeSettingsFile(path, { key: "debug", value: true });
  expect(readSettingsFile(path).entries.get("debug")).toBe(true);
});

const WRITE_ONE = `
  const { changeSettingsFile } = await import(process.argv[1]);
  try { changeSettingsFile(process.argv[2], { key: "debug", value: false }); }
  catch (error) { console.log(JSON.stringify([error.code, error.message, error.hint])); }
`;

test.each([
  ["it has a file", ["config.json", "config.lock"]],
  ["it has no file", []],
])("the error for an unwritable folder has its path if %s", (_, names) => {
  const path = folder();
  for (const name of names) {
    writeFileSync(join(path, name), name.endsWith("json") ? '{"debug":true}' : "", { mode: 0o600 });
  }
  // Root may write everywhere, so the test runs as the user `nobody`.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  for (const name of user.uid === undefined ? [] : ["", ...names]) {
    chownSync(join(path, name), NOBODY, NOBODY);
  }
  chmodSync(path, 0o500);
  onTestFinished(() => chmodSync(path, 0o700));
  const file = join(path, "config.json");
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", WRITE_ONE, WRITER, file],
    { ...user, cwd: "/", encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([
    "INVALID_SETTINGS",
    expect.stringContaining(`${file} cannot be written`),
    expect.stringContaining("SERVICE_CONFIG_HOME"),
  ]);
});
