import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readRuleFile } from "../../src/scan/rule-file.ts";
import { tree } from "../helpers/tree.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

test("the bytes of an ignore file are one character each", () => {
  const root = folder();
  const path = join(root, ".gitignore");
  writeFileSync(path, Buffer.from([0x61, 0xe9, 0x00, 0x0a]));
  expect(readRuleFile([root], path)).toEqual({ bytes: "a\u00e9\u0000\n" });
});

test("a missing one and a folder of the name are none, as in git", () => {
  const root = folder({ ".gitignore/a": "" });
  expect(readRuleFile([root], join(root, ".svcignore"))).toBeUndefined();
  expect(readRuleFile([root], join(root, ".gitignore"))).toBeUndefined();
});

test("one that cannot be used is a problem, never an empty file, and nothing waits for it", () => {
  const root = folder({ rules: "*.log\n" });
  const outside = folder({ rules: "*.log\n" });
  symlinkSync("rules", join(root, "link"));
  writeFileSync(join(root, "large"), Buffer.alloc((1 << 20) + 1));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const why = (path: string): unknown => readRuleFile([root], path);
  expect(["link", "large", "pipe"].map((name) => why(join(root, name)))).toEqual([
    { path: join(root, "link"), why: "is a symbolic link", isFault: false },
    { path: join(root, "large"), why: "is larger than 1 MiB", isFault: false },
    { path: join(root, "pipe"), why: "is a pipe, a socket or a device", isFault: false },
  ]);
  expect(why(join(outside, "rules"))).toMatchObject({ path: join(outside, "rules") });
  writeFileSync(join(root, "fits"), Buffer.alloc(1 << 20));
  expect(why(join(root, "fits"))).toHaveProperty("bytes");
});
