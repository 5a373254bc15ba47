import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("Ruby: a constant at the top level is another name of a class", async () => {
  const users = await usersIn({
    "lib/list.rb": `module App
  class List
    def self.[](*all) = new(*all)
    def size; end
  end
end
`,
    "lib/names.rb": "List = App::List\nDerived = Class.new(App::List)\n",
    "test/list_test.rb": `List.new.size
List["a"].size
Derived.new.size
`,
  });
  expect(await users("App.List.size")).toEqual([
    "test/list_test.rb:1 call",
    "test/list_test.rb:2 call",
    "test/list_test.rb:3 call",
  ]);
});
