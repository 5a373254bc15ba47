// The engine calls that handle dependencies, and the rights of their callers.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { localOwner, Principal } from "../../../src/sources/principal.ts";
import { request, SEARCH } from "../../helpers/project.ts";
import { bakery, update } from "./bakery.ts";

const OVEN = "npm-oven-1.2.0";
const FLOUR = "npm-mill__flour-2.0.0";

test("nothing is kept of dependencies until they are asked for", async () => {
  const project = bakery();
  expect(await update(project, "keep")).toBeUndefined();
  const { engine, root, data } = project;
  const plain = await engine.index({ ...request(), source: root, namespace: "bakery" });
  expect(plain.dependencies).toBeUndefined();
  expect(await engine.dependencies({ ...request(), namespace: "bakery" })).toEqual([]);
  expect(existsSync(join(data, "dependencies"))).toBe(false);
});

test("a query or an index without the option leaves them as they are", async () => {
  const project = bakery();
  await update(project, "all");
  const { engine, root } = project;
  const plain = await engine.index({ ...request(), source: root, namespace: "bakery" });
  expect(plain.dependencies).toBeUndefined();
  expect(await engine.dependencies({ ...request(), namespace: "*" })).toEqual([OVEN, FLOUR]);
});

test("a caller with the right to the project alone learns nothing of its dependencies", async () => {
  const project = bakery();
  await update(project, "all");
  const caller = new Principal({ id: "t1", namespaces: ["bakery"], readOnly: true });
  const { engine } = project;
  expect(await engine.dependencies({ principal: caller, namespace: "bakery" })).toEqual([]);
  const [status] = await engine.status({ ...request(caller), detail: "summary" });
  expect(status).not.toHaveProperty("dependencies");
  const [own] = await engine.status({ ...request(localOwner()), detail: "summary" });
  expect(own?.dependencies).toEqual([OVEN, FLOUR]);
  const { symbols } = await engine.findSymbols({ ...request(caller), name: "preheat", limit: 5 });
  expect(symbols.filter(({ namespace }) => namespace !== undefined)).toEqual([]);
  await expect(
    engine.search({ ...request(caller), ...SEARCH, namespace: OVEN, query: "stones" }),
  ).rejects.toMatchObject({ code: "NAMESPACE_NOT_FOUND" });
});
