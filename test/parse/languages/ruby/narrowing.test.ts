import { expect, it } from "vitest";

import { LINEAR_TIME } from "../../../chunk/helpers.ts";
import { usesIn } from "../../references/reference-lines.ts";

it("conditions tell the class of a variable where they hold", async () => {
  const source = `class Printer
  def print(node)
    node.text if node.is_a?(Text)
    node.none unless node.is_a?(Text)
    node.tag if node && (node.kind_of?(Xml::Tag) || node.nil?)
    node.open if node.kind_of?(Xml::Tag) && node.empty?
    case node
    when Comment then node.body
    when Start, Finish
      node.name
    else node.other
    end
    if !node.instance_of?(Text)
      node.negated
    else
      node.chars
    end
    return unless Text === node
    node.rest
    other.rest
  end
end
`;
  const uses = await usesIn("ruby", source);
  const members = uses.filter((use) => /call #/.test(use) && !/_a\?|_of\?|nil\?/.test(use));
  expect(members).toEqual([
    "3 call #1{0}!@Text.text in Printer.print",
    "4 call #1{0}.none in Printer.print",
    "5 call #1{0}.tag in Printer.print",
    "6 call #1{0}!@Xml.Tag.open in Printer.print",
    "6 call #1{0}!@Xml.Tag.empty? in Printer.print",
    "8 call #1{0}!@Comment.body in Printer.print",
    "10 call #1{0}!@Start;@Finish.name in Printer.print",
    "11 call #1{0}.other in Printer.print",
    "14 call #1{0}.negated in Printer.print",
    "16 call #1{0}!@Text.chars in Printer.print",
    "19 call #1{0}!@Text.rest in Printer.print",
  ]);
});

it("blocks show what a call returns", async () => {
  const source = `class Tree
  def initialize
    @text = @nodes.find { |node| node.is_a?(Text) }
    @texts = @nodes.select { |node| node.is_a?(Text) }
    @all = @nodes.select { |node| node.open? }
    @doc = File.open("a.xml") { |file| Document.new(file) }
    @text.value
    @texts.first.value
    @doc.root
  end
end
`;
  const uses = await usesIn("ruby", source);
  expect(uses.filter((use) => /^[789] /.test(use))).toEqual([
    "7 call @Text.value in Tree.initialize",
    "8 call @Text*.first in Tree.initialize",
    "8 call @Text*.first().value in Tree.initialize",
    "9 call @Document.root in Tree.initialize",
  ]);
});

it.each(["x.is_a?", "case a ", "a === ", "x"])(
  "take linear time for many of %j",
  { timeout: LINEAR_TIME },
  async (part) => {
    const source = `def f(x)\n${part.repeat(100_000 / part.length)}\nend\n`;
    await expect(usesIn("ruby", source)).resolves.toBeDefined();
  },
);
