import { beforeAll, expect, test } from "vitest";

import { FlatSyntaxTree, shapeOf } from "../../../src/parse/flat-tree/flat-syntax-tree.ts";
import { TreeWriter } from "../../../src/parse/flat-tree/tree-writer.ts";
import type { Grammars } from "../../../src/parse/syntax.ts";
import { sharedGrammars } from "../../chunk/helpers.ts";

let grammars: Grammars;
beforeAll(async () => {
  grammars = await sharedGrammars();
});

function read(text: string, write: (writer: TreeWriter, tree: FlatSyntaxTree) => void): string {
  const parsed = grammars.parse("json", text, (root) => {
    const shape = shapeOf(root.tree.language, [], {
      types: ["added"],
      arrange: (tree) => {
        const writer = new TreeWriter(tree);
        write(writer, tree);
        return writer.columns();
      },
    });
    return linesOf(new FlatSyntaxTree(root, text, shape), 0);
  });
  return parsed !== undefined && "value" in parsed ? parsed.value : "";
}

function linesOf(tree: FlatSyntaxTree, node: number): string {
  const inside = tree.children(node).map((child) => linesOf(tree, child));
  return `${tree.typeName(node)}${inside.length === 0 ? ` ${tree.textOf(node)}` : `(${inside.join(", ")})`}`;
}

test("a copy has the same nodes", () => {
  const copied = read("[1, [2]]", (writer, tree) => {
    writer.copy(0, tree.fields[0] ?? 0);
  });
  expect(copied).toBe("document(array(number 1, array(number 2)))");
});

test("nodes can be put around others, and left out", () => {
  const changed = read("[1, 2, 3]", (writer, tree) => {
    const [first = -1, , third = -1] = tree.children(1);
    writer.open(tree.types[0] ?? 0, 0, 0);
    writer.open(tree.shape.typeNames.indexOf("added"), first, 0);
    writer.copy(first, 0);
    writer.copy(third, 0);
    writer.close();
    writer.close();
  });
  expect(changed).toBe("document(added(number 1, number 3))");
});
