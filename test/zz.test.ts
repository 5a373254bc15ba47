import { test } from "vitest";
import { chunk } from "./chunk/helpers.ts";
test("x", async () => {
  const f = await chunk("ruby", `
class Foo
  attr_reader :limits, :warnings
  attr_accessor :root
  def initialize
    @limits = Limits.new(1)
    @root = Doc.new
  end
  def go
    @root.a
    root.b
  end
end
`);
  console.log(f.symbols.map((s, n) => s.qualifiedName + " " + s.kind + " " + s.startLine + " " + f.references.types[n]).join("\n"));
  console.log(f.references.uses);
});
