import { expect, test } from "vitest";

import { importsIn, usesIn } from "../../references/reference-lines.ts";

test("require binds modules and members", async () => {
  expect(
    await importsIn(
      "lua",
      `local a = require("x.a")
local b, c = require "x.b", require('x.c').member
local ok, d = pcall(require, "x.d")
local e = require(name)
require("x.f").run()
`,
    ),
  ).toEqual(["1 x.a *>a", "2 x.b *>b", "2 x.c member>c", "3 x.d *>d", "5 x.f *>require x_f"]);
  const uses = await usesIn("lua", 'local c = require("x.c").member\nc()\nrequire("x.f").run()\n');
  expect(uses).toEqual([
    "1 import member from 0",
    "2 call member from 0",
    "3 call require x_f.run",
  ]);
});

async function returned(source: string): Promise<readonly string[]> {
  return (await importsIn("lua", source)).filter((one) => one.endsWith("reexport"));
}

test("what a file returns is what others get", async () => {
  expect(await returned("local M = {}\nreturn M\n")).toEqual(["2  M>module.exports reexport"]);
  expect(await returned("return setmetatable(M, {})\n")).toEqual(["1  M>module.exports reexport"]);
  expect(await returned("return { a = b, c = M.d, e = e, f = 1 }\n")).toEqual([
    "1  b>a reexport",
    "1  M.d>c reexport",
    "1  e>e reexport",
  ]);
  expect(await returned('return require("x")\n')).toEqual([
    "1 x *>module.exports wildcard reexport",
  ]);
  expect(await returned("local function f() return M end\n")).toEqual([]);
});

test("a module passes members of others on", async () => {
  const source = `local core = require("core")
local M = {}
M.open = core.open
M.core = core
M.own = helper
Other.x = core.x
return M
`;
  expect((await importsIn("lua", source)).slice(1)).toEqual([
    "3 core open>open reexport",
    "4 core *>core reexport",
    "5  helper>own reexport",
    "7  M>module.exports reexport",
  ]);
});
