import { expect, test } from "vitest";

import { razorModel } from "../../../src/parse/templates/razor-model.ts";

test.each([
  ["@page\n@model Shop.Order\r\n<p>", "@Order"],
  ["@model Order?\n", "@Order"],
  ["@model IEnumerable<Shop.Order>\n", "@Order*"],
  ["@model List<Order>", "@Order*"],
  ["@model (int, string)\n", undefined],
  ["@model Dictionary<string, Order>\n", undefined],
  ["<p>@Model.Name</p>", undefined],
])("%s", (text, expected) => {
  expect(razorModel(text)).toBe(expected);
});
