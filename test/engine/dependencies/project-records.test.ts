import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  installedFacts,
  ProjectRecords,
  readRecord,
} from "../../../src/engine/dependencies/project-records.ts";
import { PackageFacts } from "../../../src/graph/packages/package-facts.ts";
import { tree } from "../../helpers/tree.ts";

const OVEN = {
  namespace: "npm-oven-1.2.0",
  ecosystem: "npm",
  name: "oven",
  version: "1.2.0",
  stamp: "1",
  uses: [
    { folder: "", alias: "" },
    { folder: "app", alias: "stove" },
  ],
} as const;
const RECORD = { createdAt: "2026-01-01", packages: [OVEN], leftOut: [] };

function state(createdAt: string | undefined) {
  return { createdAt: () => createdAt, has: (name: string) => name === OVEN.namespace };
}

test("a record is that of one namespace, not of a later one of the same name", () => {
  const { path, dispose } = tree({});
  onTestFinished(dispose);
  const records = new ProjectRecords(path);
  expect(records.names()).toEqual([]);
  records.set("bakery", RECORD);
  expect(records.names()).toEqual(["bakery"]);
  expect(records.of("bakery", state("2026-01-01"))).toEqual(RECORD);
  expect(records.namespacesOf("bakery", state("2026-01-01"))).toEqual([OVEN.namespace]);
  expect(records.of("bakery", state("2026-02-02"))).toBeUndefined();
  expect(records.namespacesOf("bakery", state(undefined))).toEqual([]);
  records.forget("bakery");
  expect(records.has("bakery")).toBe(false);
});

test("a damaged record counts as none", () => {
  const { path, dispose } = tree({ "a.json": "{", "b.json": "null" });
  onTestFinished(dispose);
  expect(readRecord(join(path, "a.json"))).toBeUndefined();
  expect(readRecord(join(path, "b.json"))).toBeUndefined();
  writeFileSync(join(path, "a.json"), '{"a":1}');
  expect(readRecord(join(path, "a.json"))).toEqual({ a: 1 });
});

test("what is installed counts like a lock file", () => {
  const facts = new PackageFacts(installedFacts(RECORD));
  expect(facts.required("npm", "oven")).toEqual([
    { ecosystem: "npm", name: "oven", version: "1.2.0", isLocked: true, folder: "", alias: "" },
    {
      ecosystem: "npm",
      name: "oven",
      version: "1.2.0",
      isLocked: true,
      folder: "app",
      alias: "stove",
    },
  ]);
});
