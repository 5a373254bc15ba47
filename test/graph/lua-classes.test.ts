import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const ITEM = `---@class Item
local Item = {}
Item.__index = Item
function Item.new(name)
  local self = setmetatable({}, Item)
  return self
end
function Item:paint(color) return self end
local Big = setmetatable({}, { __index = Item })
Big.__index = Big
function Big.create() return setmetatable({}, Big) end
local function helper() return Item.new("x") end
return { Item = Item, Big = Big, make = helper, other = function() return helper() end }
`;

test("modules, classes and what they inherit are followed", async () => {
  const users = await usersIn({
    "lua/shop/item.lua": ITEM,
    "lua/shop/init.lua": `local M = {}
local items = require("shop.item")
function M.open() return items.make():paint("red") end
M.close = function() M.open() end
M.create = items.Big.create
return M
`,
    "use.lua": `local shop = require "shop"
local Item = require("shop.item").Item
shop.open()
shop.close()
Item.new("b"):paint("x"):paint("y")
require("shop.item").other():paint("z")
shop.create():paint("z")
local ok, again = pcall(require, "shop")
again.open()
print(helper)
`,
  });
  expect(await users("M.open")).toEqual([
    "lua/shop/init.lua:4 call",
    "use.lua:3 call",
    "use.lua:9 call",
  ]);
  expect(await users("M.close")).toEqual(["use.lua:4 call"]);
  expect(await users("Item")).toContain("use.lua:5 value");
  expect(await users("Item.new")).toEqual(["lua/shop/item.lua:12 call", "use.lua:5 call"]);
  expect(await users("Item.paint")).toEqual([
    "lua/shop/init.lua:3 call",
    "use.lua:5 call",
    "use.lua:6 call",
    "use.lua:7 call",
  ]);
  expect(await users("Big.create")).toEqual(["lua/shop/init.lua:5 value", "use.lua:7 call"]);
  expect(await users("other")).toEqual(["use.lua:6 call"]);
  expect(await users("helper")).toEqual([
    "lua/shop/item.lua:13 value",
    "lua/shop/item.lua:13 call",
    "use.lua:10 value ?",
  ]);
});

test("comments name classes of other files, if there is one of the name", async () => {
  const files = {
    "lua/shop/item.lua": ITEM,
    "use.lua": "---@param item Item\nlocal function f(item) item:paint() end\n",
  };
  expect(await (await usersIn(files))("Item.paint")).toEqual(["use.lua:2 call"]);
  const users = await usersIn({ ...files, "lua/other.lua": ITEM });
  expect(await users("Item.paint", "lua/shop/item.lua")).toEqual(["use.lua:2 call ?"]);
});

test("members of tables of the same name in other files are not meant", async () => {
  const users = await usersIn({
    "a.lua": "local M = {}\nfunction M.open() end\nreturn M\n",
    "b.lua": "local M = {}\nfunction M.close() M.open() end\nreturn M\n",
    "c.lua": 'local b = require("b")\nb.open()\nunknown.open()\n',
  });
  expect(await users("M.open")).toEqual(["b.lua:2 call ?", "c.lua:2 call ?", "c.lua:3 call ?"]);
});

test("a global is that of the project, unless the file has a local", async () => {
  const users = await usersIn({
    "a.lua": "function start() end\nfunction stop() end\n",
    "b.lua":
      "start()\nlocal function stop() end\nstop()\nlocal state = Globals.list\nstate[1].start()\n",
  });
  expect(await users("start")).toEqual(["b.lua:1 call"]);
  expect(await users("stop", "a.lua")).toEqual([]);
});

test("local variables of a module are not its members", async () => {
  const users = await usersIn({
    "meta.lua":
      'local version = "1"\nlocal open = 2\nreturn { version = tostring(version), open = open }\n',
    "use.lua": 'local meta = require("meta")\nprint(meta.version, meta.open)\n',
  });
  expect(await users("version")).toEqual(["meta.lua:3 value"]);
  expect(await users("open")).toEqual(["meta.lua:3 value", "use.lua:2 value"]);
});

test("comments give classes names and bases, and tables have members of their metatables", async () => {
  const users = await usersIn({
    "core.lua": "---@class Core\nlocal M = {}\nfunction M.norm(p) return p end\nreturn M\n",
    "util.lua": `local M = setmetatable({}, { __index = require("core") })
function M.extra() return M.norm("a") end
return M
`,
    "task.lua": `---@class shop.Task: Base
---@field name string
local Task = {}
---@class Base
local Async = {}
function Async:wait() end
function Task:spawn() self:wait() end
return Task
`,
    "use.lua": `local util = require("util")
util.norm(util.extra())
---@param task shop.Task
local function f(task)
  task:spawn()
  task:wait()
end
---@type shop.Task[]
local all = x()
for _, one in ipairs(all) do one:spawn() end
`,
  });
  expect(await users("M.norm")).toEqual(["use.lua:2 call", "util.lua:2 call"]);
  expect(await users("M.extra")).toEqual(["use.lua:2 call"]);
  expect(await users("Task.spawn")).toEqual(["use.lua:5 call", "use.lua:10 call"]);
  expect(await users("Async.wait")).toEqual(["task.lua:7 call", "use.lua:6 call"]);
});

test("a table has its own members although a comment gives it a type", async () => {
  const users = await usersIn({
    "a.lua": `---@type State
local M = {}
---@class State
local defaults = {}
function M.read() end
function M.run() M.read() end
local M2 = {}
M2 = wrap(M2)
function M2:go() end
return M
`,
  });
  expect(await users("M.read")).toEqual(["a.lua:6 call"]);
  expect(await users("M2")).toEqual(["a.lua:8 value", "a.lua:9 value"]);
});
