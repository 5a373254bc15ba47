import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("instance variables have the types that are assigned, and elements those that `each` yields", async () => {
  const users = await usersIn({
    "lib/tag.rb": "class Tag\n  def show\n  end\nend\n",
    "lib/list.rb": `class List
  include Enumerable
  def initialize
    @tags = [Tag.new]
    @first = Tag.new
  end

  def each
    @tags.each { |tag| yield tag }
  end

  def run
    @first.show
    List.new.select { |tag| tag }.first.show
  end
end
`,
  });
  expect(await users("Tag.show")).toEqual(["lib/list.rb:13 call", "lib/list.rb:14 call"]);
});
