import { mkdirSync, rmSync, writeFileSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { Catalog, REPLICA_KEY } from "../../../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { copyPosition } from "../../../src/index/postgres/copy-position.ts";
import { markOf } from "../../../src/index/postgres/replica-mark.ts";
import { tree } from "../../helpers/tree.ts";

test("a copy shows the state of its mark; without a usable copy there is none", () => {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  expect(copyPosition(path, "zoo")).toBe(undefined);
  const layout = indexLayout(path, "zoo");
  mkdirSync(layout.directory, { recursive: true });
  writeFileSync(layout.catalog, "not a database");
  expect(copyPosition(path, "zoo")).toBe(undefined);
  rmSync(layout.catalog);
  const catalog = Catalog.openToWrite(layout.catalog, { recreate: true });
  const position = { epoch: "6f0c", generation: 7, commit: "9a1e" };
  catalog.setMeta(REPLICA_KEY, markOf(position));
  catalog.close();
  expect(copyPosition(path, "zoo")).toEqual(position);
});
