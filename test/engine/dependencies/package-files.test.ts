import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { packageFiles, readPackage } from "../../../src/engine/dependencies/package-files.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { ovenFiles } from "./installed-files.ts";

const OVEN = { ecosystem: "npm", name: "oven", version: "1.2.0", stamp: "" } as const;

function planted(files: Parameters<typeof tree>[0] = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

test("what is copied: sources, declarations and prose; no bundles, secrets, rules and inner packages", () => {
  const folder = join(planted(ovenFiles()), "node_modules/oven");
  expect(packageFiles({ folder })).toEqual([
    "README.md",
    "dist/heat.d.ts",
    "dist/heat.js",
    "dist/index.cjs",
    "dist/index.d.ts",
    "dist/index.js",
    "package.json",
  ]);
  const target = planted();
  const { files, bytes } = readPackage({ ...OVEN, folder }, target);
  expect(files).toBe(7);
  expect(bytes).toBeGreaterThan(300);
  expect(readFileSync(join(target, "dist/heat.d.ts"), "utf8")).toContain("preheat");
  expect(existsSync(join(target, ".npmrc"))).toBe(false);
});

test("links are not followed, and large files are left out", () => {
  const outside = planted({ "secret.js": "export const secret = 1;\n", "folder/a.js": "1;\n" });
  const folder = planted({ "a.js": "1;\n", "large.js": "x".repeat((1 << 20) + 1) });
  symlinkSync(join(outside, "secret.js"), join(folder, "link.js"));
  symlinkSync(join(outside, "folder"), join(folder, "folder"));
  const target = planted();
  // As a RECORD may name them.
  const files = ["a.js", "folder/a.js", "large.js", "link.js"];
  expect(readPackage({ ...OVEN, folder, files }, target).files).toBe(1);
  expect(existsSync(join(target, "link.js"))).toBe(false);
  expect(existsSync(join(target, "folder"))).toBe(false);
});

test("the hash is that of the files and the version, wherever they are", () => {
  const [one, other] = [planted({ "a.js": "1;\n" }), planted({ "a.js": "1;\n" })];
  const { hash } = readPackage({ ...OVEN, folder: one });
  expect(readPackage({ ...OVEN, folder: other }).hash).toBe(hash);
  expect(readPackage({ ...OVEN, version: "1.3.0", folder: other }).hash).not.toBe(hash);
  plant(other, { "b.js": "1;\n" });
  expect(readPackage({ ...OVEN, folder: other }).hash).not.toBe(hash);
});

test("what the installer keeps elsewhere is written, before a file of the same name", () => {
  const folder = planted({ "a.py": "a = 1\n", "README.md": "of another package\n" });
  const target = planted();
  const written = new Map([["README.md", "# A\n"]]);
  readPackage({ ...OVEN, folder, files: ["a.py", "README.md"], written }, target);
  expect(readFileSync(join(target, "README.md"), "utf8")).toBe("# A\n");
});

test("a package of more than 32 MB is too large", () => {
  const files = Object.fromEntries(
    Array.from({ length: 33 }, (_, at) => [`${at}.txt`, Buffer.alloc(1 << 20, "a")]),
  );
  expect(() => readPackage({ ...OVEN, folder: planted(files) })).toThrow("more than 32 MB of text");
});
