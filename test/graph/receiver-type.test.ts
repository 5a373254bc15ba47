import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("an overload is chosen by the type of an argument, which a collection of it is not", async () => {
  const users = await usersIn({
    "Store.java": `class Item {}
class Store {
  void add(Item item) {}
  void add(java.util.List<Item> items) {}
}
`,
    "Use.java": `import java.util.List;
class Use {
  Item one;
  List<Item> all;
  void run(Store store) {
    store.add(one);
    store.add(all);
  }
}
`,
  });
  expect(await users("Store.add")).toEqual(["Use.java:6 call"]);
});
