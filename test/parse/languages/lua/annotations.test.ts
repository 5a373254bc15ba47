import { expect, test } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

test("comments declare types of parameters, results and values", async () => {
  expect(
    await typesIn(
      "lua",
      `---@return Item? the item
---@return string
local function one() return x() end
---@type Item[]
local two = x()
---@return table<string, shop.Item>
local function three() end
---@return string
local function four() end
---@return Item|Other
local function five() end
--- Only words.
local function six() end
`,
    ),
  ).toEqual(["one @Item", "two @Item*", "three @shop:Item*"]);
  const uses = await usesIn(
    "lua",
    `---@param other string
---@param item Item
---@param list? Item[]
local function run(item, list)
  item:a()
  for _, one in ipairs(list) do one:b() end
end
`,
  );
  expect(uses).toEqual(["5 call @Item.a in run", "6 call @Item.b in run"]);
});

test("comments elsewhere declare nothing", async () => {
  expect(await typesIn("lua", "---@return Item\n\nlocal function one() end\n")).toEqual([]);
});
