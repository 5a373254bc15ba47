import { join } from "node:path";

import { expect, test } from "vitest";

import { packageFoldersIn } from "../../src/config/package-folders.ts";

test("package managers keep packages in their usual places, or where the environment says", () => {
  expect(packageFoldersIn({ VIRTUAL_ENV: " " }, "/home/me")).toEqual({
    virtualEnvironment: undefined,
    goModules: join("/home/me", "go", "pkg", "mod"),
    cargoSources: join("/home/me", ".cargo", "registry", "src"),
  });
  const env = { VIRTUAL_ENV: "/v", GOPATH: "/go", CARGO_HOME: "/cargo" };
  expect(packageFoldersIn(env, "/home/me")).toEqual({
    virtualEnvironment: "/v",
    goModules: join("/go", "pkg", "mod"),
    cargoSources: join("/cargo", "registry", "src"),
  });
  expect(packageFoldersIn({ GOPATH: "/go", GOMODCACHE: "/cache" }, "/").goModules).toBe("/cache");
});

test.skipIf(process.platform === "win32")("the first of several Go paths counts", () => {
  expect(packageFoldersIn({ GOPATH: "/one:/two" }, "/").goModules).toBe("/one/pkg/mod");
});
