import {
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { extractAddon } from "../../../src/credentials/keychain/native-addon.ts";
import { tempHome } from "../home.ts";

const BYTES = Buffer.from("the bytes of an addon");

function call(directory: string, bytes = BYTES): string {
  const path = extractAddon(directory, "keyring", bytes);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  return path;
}

test("an addon is extracted once, under a name derived from its content, for this user only", () => {
  const directory = join(tempHome().root, "native");
  const path = call(directory);
  expect(path).toMatch(/keyring-[0-9a-f]{32}\.node$/);
  expect((statSync(path).mode & 0o777).toString(8)).toBe("500");
  const { ino } = statSync(path);
  expect(statSync(call(directory)).ino).toBe(ino);
  expect(call(directory, Buffer.from("another version"))).not.toBe(path);
  expect(readdirSync(directory)).toHaveLength(2);
});

test("a file or link with other content under its name is replaced, never loaded", () => {
  const { root } = tempHome();
  const directory = join(root, "native");
  const path = call(directory);
  chmodSync(path, 0o600);
  writeFileSync(path, "planted");
  call(directory);
  rmSync(path);
  writeFileSync(join(root, "elsewhere"), BYTES);
  symlinkSync(join(root, "elsewhere"), path);
  expect(statSync(call(directory)).ino).not.toBe(statSync(join(root, "elsewhere")).ino);
});
