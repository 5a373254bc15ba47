import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";
import { typesIn, usesIn } from "../../references/reference-lines.ts";

function lua(source: string): Promise<readonly string[]> {
  return usesIn("lua", source);
}

test("uses exclude locals, parameters, labels, keys and metamethods", async () => {
  expect(
    await lua(`local function run(a, ...)
  local b, c = a, ...
  for i, v in ipairs(b) do log(i, v, c) end
  for n = 1, 10 do log(n) end
  local d <const> = function(e) return e end
  goto done
  ::done::
  log({ key = a, [b] = c })
  Foo.__index = Foo
  local function inner(x) return inner(x) end
  self.x = _
end
`),
  ).toEqual([
    "3 call log in run",
    "4 call log in run",
    "8 call log in run",
    "9 value Foo in run",
    "9 value Foo in run",
    "11 value ?.x in run",
  ]);
});

test("a local is visible after its declaration, and hides functions of the file", async () => {
  expect(
    await lua(`local function open() end
local function run()
  open()
  local open = open()
  open()
end
`),
  ).toEqual(["3 call open -> open in run", "4 call open -> open in run"]);
});

test("a variable that is declared again is another one", async () => {
  const source = `local out = one()
use(out)
local out = two(out)
use(out)
local function help() return help() end
`;
  const file = await chunk("lua", source);
  const targets = file.references.uses
    .filter(({ name }) => name === "out")
    .map(({ line, target }) => `${line} ${file.symbols[target]?.nameLine}`);
  expect(targets).toEqual(["2 1", "3 1", "4 3"]);
  expect(await lua("local function help() return help() end\n")).toEqual([
    "1 call help -> help in help",
  ]);
});

test("functions have the types of what they return, and of their tables", async () => {
  expect(
    await typesIn(
      "lua",
      `local Item = {}
Item.__index = Item
function Item.new(name)
  local self = setmetatable({}, Item)
  if not name then return nil end
  return self
end
function Item:same() return self end
function Item.of(self) return self end
function Item:other() local o = setmetatable({}, { __index = self }) return o end
local first = Item.new("a")
local either = first or Item
local both = first and Item
local mt = { __index = Item }
`,
    ),
  ).toEqual([
    "Item.new #0",
    "Item.same #0",
    "Item.of #0",
    "Item.other #0",
    "first Item.new()",
    "either first;Item",
    "both Item",
    "mt Item",
  ]);
});

test("what a class has its members from is what it inherits from", async () => {
  const uses = await lua(`local Base = {}
local One = setmetatable({}, { __index = Base })
local Two = setmetatable({}, Base)
local three = function() return setmetatable({}, { __index = Base }) end
`);
  expect(uses.filter((use) => use.includes("Base"))).toEqual([
    "2 inherit Base -> Base in One",
    "3 inherit Base -> Base in Two",
    "4 value Base -> Base in three",
  ]);
});

test("hostile texts end", async () => {
  for (const part of [
    "(",
    "{",
    "a.b.",
    "a:b().",
    "--[[",
    "[[",
    "function(",
    "{a={",
    "---@param x y\n",
    "local a = b\n",
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time
    const uses = await lua(`local x = ${part.repeat(200_000 / part.length)}`);
    expect(uses.length).toBeLessThan(200_000);
  }
}, 60_000);
