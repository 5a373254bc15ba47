import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("widget, state and elements have the type argument of the class that a class extends", async () => {
  const users = await usersIn({
    "lib/page.dart": `class Page extends StatefulWidget { final String title = ''; }
class _PageState extends State<Page> { build() => widget.title; }
class Count { int total = 0; }
class Counter extends Cubit<Count> { int get now => state.total; }
class Counts extends Object with ListMixin<Count> {}
void run(Counter counter, Counts counts) {
  counter.state.total;
  for (final count in counts) { count.total; }
}
`,
  });
  expect(await users("Page.title")).toEqual(["lib/page.dart:2 value"]);
  expect(await users("Count.total")).toEqual([
    "lib/page.dart:4 value",
    "lib/page.dart:7 value",
    "lib/page.dart:8 value",
  ]);
});
