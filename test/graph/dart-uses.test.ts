import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("the name of an argument is a use of the field that the constructor sets, also one above", async () => {
  const users = await usersIn({
    "lib/page.dart": `class Base { const Base({this.key}); final String? key; }
class Page extends Base {
  const Page({super.key, required this.title, int size = 1});
  Page.plain(String text) : title = text, super(key: text);
  final String title;
}
final a = Page(title: 'a', key: 'b', size: 2);
final b = const Page(title: 'c');
class Other = Page with Loud;
final c = Other(title: 'd');
@Page(title: 'e')
void run() {}
`,
  });
  expect(await users("Page.title")).toEqual([
    "lib/page.dart:3 value",
    "lib/page.dart:4 value",
    "lib/page.dart:7 value",
    "lib/page.dart:8 value",
    "lib/page.dart:10 value",
    "lib/page.dart:11 value",
  ]);
  expect(await users("Base.key")).toEqual([
    "lib/page.dart:1 value",
    "lib/page.dart:3 value",
    "lib/page.dart:4 value",
    "lib/page.dart:7 value",
  ]);
});
