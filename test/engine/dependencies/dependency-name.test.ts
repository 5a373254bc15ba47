import { expect, test } from "vitest";

import { dependencyNames } from "../../../src/engine/dependencies/dependency-name.ts";
import { isNamespaceName } from "../../../src/sources/namespace.ts";

const HASH = "0123456789abcdef";

test.each([
  ["npm", "undici", "6.21.0", "npm-undici-6.21.0"],
  ["npm", "@types/node", "22.1.0", "npm-types__node-22.1.0"],
  ["npm", "a", "1.0.0-rc.1+build", "npm-a-1.0.0-rc.1-build"],
  ["pypi", "pyyaml", "6.0", "pypi-pyyaml-6.0"],
  ["go", "github.com/BurntSushi/toml", "1.3.2", "go-github.com_burntsushi_toml-1.3.2"],
  ["cargo", "serde_json", "1.0.1", "cargo-serde_json-1.0.1"],
] as const)("%s %s %s is %s", (ecosystem, name, version, expected) => {
  const [plain, marked] = dependencyNames({ ecosystem, name, version }, HASH);
  expect(plain).toBe(expected);
  expect(marked).toBe(`${expected}-01234567`);
  for (const one of [plain, marked])
    for (const platform of ["linux", "win32"] as const)
      expect(isNamespaceName(one, platform)).toBe(true);
});

test("a long name is cut and has a hash, since it may be that of two packages", () => {
  const name = `@scope/${"long-".repeat(20)}name`;
  const [plain, marked] = dependencyNames({ ecosystem: "npm", name, version: "1.0.0" }, HASH);
  expect(plain).toBe(marked);
  expect(plain).toMatch(/^npm-scope__long-.*-01234567$/);
  expect(isNamespaceName(plain)).toBe(true);
});
