import { expect, test } from "vitest";

import type { EngineCall } from "../../../src/engine/middleware/engine-calls.ts";
import { indexPaths } from "../../../src/engine/middleware/index-paths.ts";
import { LOCAL } from "../../helpers/rpc.ts";

const FOLDERS = [
  { root: "/home/me/app", prefix: "" },
  { root: "/home/me/lib", prefix: "lib/" },
];

/** Returns the request as the engine gets it. */
async function passed(name: EngineCall["name"], fields: object): Promise<object> {
  const request = { principal: LOCAL, ...fields };
  let given: object = {};
  await indexPaths(async () => FOLDERS)({ name, request }, async (call) => {
    const { principal: _principal, ...rest } = call.request;
    given = rest;
    return {};
  });
  return given;
}

test.each([
  [{ path: "/home/me/app/src" }, { path: "src" }],
  [{ path: "/home/me/app/src/**/*.ts" }, { path: "src/**/*.ts" }],
  [{ path: ["!/home/me/app/test", "src"] }, { path: ["!test", "src"] }],
  [{ path: "/home/me/app" }, { path: "." }],
  [{ path: "/home/me/app/" }, { path: "." }],
  [{ path: "/home/me/lib/a.ts" }, { path: "lib/a.ts" }],
  [{ target: "/home/me/app/src/a.ts:10-20" }, { target: "src/a.ts:10-20" }],
  [{ targets: ["/home/me/app/a.ts#run", "run"] }, { targets: ["a.ts#run", "run"] }],
  [{ symbol: "/home/me/app/a.ts" }, { symbol: "a.ts" }],
  [{ question: "/home/me/app/a.ts:3" }, { question: "a.ts:3" }],
])("%j becomes %j", async (given, expected) => {
  expect(await passed("impact", given)).toEqual(expected);
});

test.each([
  { path: "/home/me/application/a.ts" },
  { path: "/etc/passwd" },
  { path: "src/a.ts" },
  { query: "/home/me/app/a.ts" },
])("%j stays", async (given) => {
  expect(await passed("searchText", given)).toEqual(given);
});

test("what is indexed is a folder of this machine", async () => {
  expect(await passed("index", { path: "/home/me/app" })).toEqual({ path: "/home/me/app" });
});

test("paths stay if the namespace has no sources that the caller may see", async () => {
  const step = indexPaths(async () => {
    throw new Error("no such namespace");
  });
  const request = { principal: LOCAL, path: "/home/me/app/src" };
  let given: object = {};
  await step({ name: "search", request }, async (call) => ((given = call.request), {}));
  expect(given).toEqual(request);
});
