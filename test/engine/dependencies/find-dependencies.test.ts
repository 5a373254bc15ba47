// Which packages a project depends on directly, and where they are installed.
import { expect, test } from "vitest";

import { lookUp } from "./look-up.ts";

test("node_modules of a workspace come before those above it, and only manifests count, not lock files", () => {
  const manifest = '{ "dependencies": { "a": "^1.0.0", "alias": "npm:b@^2.0.0" } }';
  const { found, uses, leftOut } = lookUp({
    "package.json": manifest,
    "packages/one/package.json": manifest,
    "package-lock.json": '{ "packages": { "node_modules/other": { "version": "1.0.0" } } }',
    "node_modules/a/package.json": '{ "name": "a", "version": "1.0.0" }',
    "node_modules/other/package.json": '{ "name": "other", "version": "1.0.0" }',
    "node_modules/alias/package.json": '{ "name": "b", "version": "2.1.0" }',
    "packages/one/node_modules/a/package.json": '{ "name": "a", "version": "1.5.0" }',
  });
  expect(found).toEqual([
    ["npm a 1.0.0", "node_modules/a"],
    ["npm b 2.1.0", "node_modules/alias"],
    ["npm a 1.5.0", "packages/one/node_modules/a"],
  ]);
  expect(uses).toEqual([[""], ["", "packages/one"], ["packages/one"]]);
  expect(leftOut).toEqual([]);
});
