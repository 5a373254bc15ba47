import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a type of Scala has the members of its self type", async () => {
  const users = await usersIn({
    "a.scala":
      'trait Log {\n  def warn(text: String): Unit = ()\n}\ntrait Store { self: Log =>\n  def save(): Unit = warn("full")\n}\n',
  });
  expect(await users("Log.warn")).toEqual(["a.scala:5 call"]);
});

test("an extension of Dart has the members of the type that it is on, without its constructors", async () => {
  const users = await usersIn({
    "lib/a.dart":
      "class Item {\n  Item();\n  Item.empty();\n  String title() => '';\n}\nextension Titles on Item {\n  String upper() => title().toUpperCase();\n  Item copy() => Item();\n}\n",
  });
  expect(await users("Item.title")).toEqual(["lib/a.dart:7 call"]);
});
