// Packages in node_modules.
import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { lookUp } from "./look-up.ts";

test("pnpm's links stay inside of node_modules, and a link to a workspace is part of the project", () => {
  const { found, leftOut } = lookUp(
    {
      "package.json": '{ "dependencies": { "a": "^1.0.0", "own": "workspace:*" } }',
      "packages/own/package.json": '{ "name": "own", "version": "0.0.0" }',
      "node_modules/.pnpm/a@1.0.0/node_modules/a/package.json":
        '{ "name": "a", "version": "1.0.0" }',
    },
    {
      prepare: (root) => {
        symlinkSync(
          join(root, "node_modules/.pnpm/a@1.0.0/node_modules/a"),
          join(root, "node_modules/a"),
        );
        symlinkSync(join(root, "packages/own"), join(root, "node_modules/own"));
      },
    },
  );
  expect(found).toEqual([["npm a 1.0.0", "node_modules/.pnpm/a@1.0.0/node_modules/a"]]);
  expect(leftOut).toEqual([]);
});

test("a name that is a path is no package", () => {
  const { found, leftOut } = lookUp({
    "package.json": '{ "dependencies": { "../outside": "1.0.0", "..": "1.0.0" } }',
    "outside/package.json": '{ "name": "outside", "version": "1.0.0" }',
  });
  expect(found).toEqual([]);
  expect(leftOut).toEqual(["../outside: not installed", "..: not installed"]);
});
