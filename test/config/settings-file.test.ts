import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readSettingsFile } from "../../src/config/settings-file.ts";
import { tree } from "../helpers/tree.ts";

function folder(): string {
  const place = tree();
  onTestFinished(place.dispose);
  return place.path;
}

/** The result of reading a file with this content, and its path. */
function readContent(content: string | Uint8Array, mode = 0o600) {
  const path = join(folder(), "config.json");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return { ...readSettingsFile(path), path };
}

test("a missing file or folder is no problem", () => {
  const path = join(folder(), "none/config.json");
  expect(readSettingsFile(path)).toEqual({
    path,
    entries: new Map(),
    problem: undefined,
    isDamaged: false,
  });
});

test("entries are read unchanged, also after a byte order mark", () => {
  for (const text of ['{"debug":true,"x":[1]}', '\uFEFF{"debug":true,"x":[1]}']) {
    const { entries, problem } = readContent(text);
    expect(problem).toBeUndefined();
    expect([...entries]).toEqual([
      ["debug", true],
      ["x", [1]],
    ]);
  }
});

test.each(["", "{", "svt_1234567890abcdef", '{"token": "svt_1234567890abcdef', "{'debug': true}"])(
  "%j is damaged: the problem has the path and a fix, and does not quote the text",
  (text) => {
    const { isDamaged, entries, problem, path } = readContent(text);
    expect([isDamaged, entries.size]).toEqual([true, 0]);
    expect(problem?.code).toBe("INVALID_SETTINGS");
    expect(problem?.message).toContain(`${path} is not JSON`);
    expect(problem?.hint).toContain("svc config set NAME VALUE");
    expect(JSON.stringify([problem, problem?.stack, problem?.cause])).not.toContain("svt_");
  },
);

test("the problem has the position where the text stops being JSON", () => {
  expect(readContent('{\n  "debug": true\n  "color": "never"\n}').problem?.message).toContain(
    "(line 3, column 3)",
  );
});

test.each(["[]", "null", "1", '"debug"'])("%s is JSON but not an object", (text) => {
  const { isDamaged, problem } = readContent(text);
  expect(isDamaged).toBe(true);
  expect(problem?.message).toContain("is not a JSON object");
});

test.each([0o620, 0o602, 0o666, 0o664])("a file of mode %o is refused as ssh does", (mode) => {
  const { entries, isDamaged, problem, path } = readContent('{"debug":true}', mode);
  expect([entries.size, isDamaged]).toEqual([0, false]);
  expect(problem?.message).toContain(`${path} can be written by other users`);
  expect(problem?.hint).toContain(`chmod 600 ${path}`);
});

test.each([0o600, 0o644, 0o400])(
  "a file of mode %o is accepted, because settings are not secret",
  (mode) => {
    expect(readContent('{"debug":true}', mode).entries.get("debug")).toBe(true);
  },
);

test("a file of another user is refused", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, "{}", { mode: 0o600 });
  const owner = process.getuid?.() ?? 0;
  expect(readSettingsFile(path, owner).problem).toBeUndefined();
  // Files of root are always accepted, so root gives the file to another user.
  if (owner === 0) chownSync(path, 12_345, 12_345);
  const reader = owner === 0 ? owner : owner + 1;
  expect(readSettingsFile(path, reader).problem?.message).toContain("belongs to another user");
});

test("a link to the file is followed", () => {
  const path = folder();
  writeFileSync(join(path, "dotfile.json"), '{"debug":true}', { mode: 0o600 });
  symlinkSync("dotfile.json", join(path, "config.json"));
  expect(readSettingsFile(join(path, "config.json")).entries.get("debug")).toBe(true);
});

test("a folder in place of the file is a problem", () => {
  const path = join(folder(), "config.json");
  mkdirSync(path);
  expect(readSettingsFile(path).problem?.message).toContain("is not a regular file");
});

test("a pipe in place of the file is a problem, and reading does not block", () => {
  const path = join(folder(), "config.json");
  spawnSync("mkfifo", ["-m", "600", path]);
  expect(readSettingsFile(path).problem?.message).toContain("is not a regular file");
});

test("a file larger than 1 MiB is not read", () => {
  const text = `{"namespace":"${"a".repeat(1024 * 1024)}"}`;
  expect(readContent(text).problem?.message).toContain("larger than 1 MiB");
});
