import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("Ruby: methods of a class and of its objects have one name", async () => {
  const users = await usersIn({
    "lib/template.rb": `class Template
  class << self
    def parse(source)
      new.parse(source)
    end
  end
  attr_reader :root
  def parse(source)
    @root = Root.new(source)
    self
  end
  def self.build(source)
    parse(source)
  end
  def again
    parse("x")
    self.class.build("y")
  end
end
class Root
  def size; end
end
`,
    "lib/main.rb": `template = Template.parse("a")
template.parse("b")
template.root.size
class Main
  Alias = Root
  def run
    Alias.new.size
  end
end
`,
  });
  expect(await users("Template.parse", { at: 0 })).toEqual([
    "lib/main.rb:1 call",
    "lib/template.rb:13 call",
  ]);
  expect(await users("Template.parse", { at: 1 })).toEqual([
    "lib/main.rb:2 call",
    "lib/template.rb:4 call",
    "lib/template.rb:16 call",
  ]);
  expect(await users("Template.build")).toEqual(["lib/template.rb:17 call"]);
  expect(await users("Root.size")).toEqual(["lib/main.rb:3 call", "lib/main.rb:7 call"]);
});

test("C#: types of one name differ in their type parameters, and members may have the name of their type", async () => {
  const users = await usersIn({
    "src/Row.cs": `namespace App
{
    public class Row<T> { public T Left; }
    public class Row<T, U> { public T Left; public U Right; }
    public enum Format { None, Indented }
    public class Writer
    {
        public Format Format { get; set; }
        public void Write(Row<int> one, Row<int, string> two)
        {
            Format = Format.Indented;
            var right = two.Right;
        }
    }
}
`,
  });
  expect(await users("Row", { at: 0 })).toEqual(["src/Row.cs:9 type"]);
  expect(await users("Row", { at: 1 })).toEqual(["src/Row.cs:9 type"]);
  expect(await users("Row.Right")).toEqual(["src/Row.cs:12 value"]);
  expect(await users("Format")).toEqual(["src/Row.cs:8 type", "src/Row.cs:11 value"]);
  expect(await users("Writer.Format")).toEqual(["src/Row.cs:11 value"]);
  expect(await users("Format.Indented")).toEqual(["src/Row.cs:11 value"]);
});
