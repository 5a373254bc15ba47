import { describe, expect, it } from "vitest";

import { importsIn, usesIn } from "../../references/reference-lines.ts";

describe("imports and uses of a script", () => {
  it("include the names that a script gives to its exports, and modules that are used at once", async () => {
    const source = `const { a: { b } } = require("./a");
require("./b").c.d();
exports = module.exports = Queue;
exports.other = make;
exports.log = require("./log");
module.exports = require("./all");
b;
`;
    expect(await importsIn("javascript", source)).toEqual([
      "1 ./a *>require _/a",
      "2 ./b *>require _/b",
      "3  Queue>module.exports reexport",
      "4  make>other reexport",
      "5 ./log *>require _/log",
      "6 ./all *>module.exports wildcard reexport",
      "6 ./all *>require _/all",
    ]);
    const uses = await usesIn("javascript", source);
    expect(uses.filter((use) => use.includes("require _"))).toEqual([
      "1 value require _/a.a",
      "1 value require _/a.a.b",
      "2 value require _/b.c",
      "2 call require _/b.c.d",
    ]);
  });
});
