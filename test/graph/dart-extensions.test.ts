import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a member of an extension is found by the type of the object, where the extension is visible", async () => {
  const users = await usersIn({
    "lib/item.dart": "class Item {}\nclass Special extends Item {}\n",
    "lib/ext.dart": `import 'item.dart';
extension Labels on Item { String get label => text(); String text() => ''; }
extension Lists on List<Item> { Item best() => first; }
extension on Item { void secret() {} }
extension Texts on String { String twice() => this; }
void inside(Item item) { item.secret(); }
`,
    "lib/use.dart": `import 'item.dart';
import 'ext.dart';
void run(Special special, List<Item> items) {
  special.label;
  items.best().label;
  special.secret();
  'a'.twice();
}
`,
    "lib/blind.dart": "import 'item.dart';\nvoid run(Item item) { item.label; }\n",
  });
  expect(await users("Labels.label")).toEqual(["lib/use.dart:4 value", "lib/use.dart:5 value"]);
  expect(await users("Labels.text")).toEqual(["lib/ext.dart:2 call"]);
  expect(await users("Lists.best")).toEqual(["lib/use.dart:5 call"]);
  expect(await users("extension on Item.secret")).toEqual(["lib/ext.dart:6 call"]);
  expect(await users("Texts.twice")).toEqual(["lib/use.dart:7 call"]);
});
