import { expect, test } from "vitest";

import { usesIn } from "../../references/reference-lines.ts";

test("a signature and its body, and the types before variables, belong together", async () => {
  const uses = await usesIn(
    "dart",
    `final a.Box<Item>? box = open(), other = box;
Item? first(Item item) => item.next;
void run() { try { a(); } on a.Broken catch (error) { error.show(); } }
mixin Loud on a.Base<Item>, Other {}
`,
  );
  expect(uses).toEqual([
    "1 type a",
    "1 type a.Box",
    "1 type Item",
    "1 call open in box",
    "1 value box -> box in other",
    "2 type Item in first",
    "2 type Item in first",
    "2 value @Item.next in first",
    "3 call a in run",
    "3 type a in run",
    "3 type a.Broken in run",
    "3 call @a.Broken.show in run",
    "4 type a in Loud",
    "4 inherit a.Base in Loud",
    "4 type Item in Loud",
    "4 inherit Other in Loud",
  ]);
});

test("deep code is still read", async () => {
  const depth = 450;
  const source = `final a = ${"(".repeat(depth)}b${")".repeat(depth)};\nfinal c = d;\n`;
  expect((await usesIn("dart", source)).at(-1)).toBe("2 value d in c");
});
