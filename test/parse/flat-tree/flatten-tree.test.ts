// Compares flat trees, which are copied from the parser's memory, with the results of the library's cursor.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Node, TreeCursor } from "web-tree-sitter";

import { GRAMMAR_FILES } from "../../../src/base/grammar-files.ts";
import {
  shapeOf,
  FlatSyntaxTree,
  type GrammarShape,
} from "../../../src/parse/flat-tree/flat-syntax-tree.ts";
import { INNER_NODE } from "../../../src/parse/flat-tree/flatten-tree.ts";
import type { Grammars } from "../../../src/parse/syntax.ts";
import { sharedGrammars } from "../../chunk/helpers.ts";

interface Row {
  readonly type: number;
  readonly field: number;
  readonly parent: number;
  start: number;
  end: number;
}

const FOLDER = join(import.meta.dirname, "../../../src/parse/languages");
const FIXTURES = Object.keys(GRAMMAR_FILES).flatMap((language) =>
  globSync(join(FOLDER, language, "fixture/*"))
    .filter((path) => !path.endsWith(".golden"))
    .map((path) => ({ language, name: basename(path), text: readFileSync(path, "utf8") })),
);

let grammars: Grammars;
beforeAll(async () => {
  grammars = await sharedGrammars();
});

test.for(FIXTURES)(
  "$language: the flat tree of $name equals the cursor's",
  ({ language, text }) => {
    expect(compare(language, text)).toBeGreaterThan(0);
  },
);

test("the flat tree of a damaged file equals the cursor's", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FIXTURES),
      fc.nat({ max: 1000 }),
      fc.nat({ max: 1000 }),
      fc.string({ unit: "grapheme", maxLength: 5 }),
      ({ language, text }, from, length, inserted) => {
        const start = Math.floor((from / 1000) * text.length);
        const cut = text.slice(0, start) + inserted + text.slice(start + length);
        expect(compare(language, cut)).toBeGreaterThan(0);
      },
    ),
    { numRuns: 300 },
  );
});

test("a deep tree is copied completely", () => {
  const chain = Array.from({ length: 3000 }, (_, at) => `a${at}`);
  expect(compare("javascript", `${chain.join(" + ")};`)).toBeGreaterThan(5000);
  expect(compare("json", `${"[".repeat(490)}${"]".repeat(490)}`)).toBeGreaterThan(490);
});

/** Compares the trees and returns the number of nodes. */
function compare(language: string, text: string): number {
  const parsed = grammars.parse(language, text, (root) => {
    const shape = shapeOf(root.tree.language, ["this", "self", "super"]);
    const table = new FlatSyntaxTree(root, text, shape);
    const expected = rowsOf(root, shape);
    expect(rowsIn(table)).toEqual(expected);
    expect(wrongNeighbours(table)).toEqual([]);
    return expected.length;
  });
  if (parsed === undefined || "problem" in parsed) throw new Error(parsed?.problem ?? "no grammar");
  return parsed.value;
}

/** The nodes before which the tree finds another node than their parent's list of children has. */
function wrongNeighbours(table: FlatSyntaxTree): readonly number[] {
  return Array.from({ length: table.count }, (_, node) => table.children(node)).flatMap(
    (children) =>
      children.filter((child, at) => table.previous(child) !== (children[at - 1] ?? -1)),
  );
}

function rowsIn(table: FlatSyntaxTree): Row[] {
  return Array.from({ length: table.count }, (_, node) => ({
    type: table.types[node] ?? -1,
    field: table.fields[node] ?? -1,
    parent: table.parent(node),
    start: table.start(node),
    end: table.end(node),
  }));
}

function rowsOf(root: Node, shape: GrammarShape): Row[] {
  const rows: Row[] = [];
  const cursor = root.walk();
  addRows(cursor, -1, { rows, shape });
  cursor.delete();
  return rows;
}

function addRows(
  cursor: TreeCursor,
  parent: number,
  { rows, shape }: { rows: Row[]; shape: GrammarShape },
): void {
  const { nodeTypeId, nodeType, startIndex: start, endIndex: end } = cursor;
  const isError = nodeTypeId >= shape.typeNames.length;
  const isNamed = cursor.nodeIsNamed || ["this", "self", "super"].includes(nodeType);
  // All nodes without a start begin with this token.
  const setStarts = (): void => {
    for (const row of rows) if (row.start === -1) row.start = start;
  };
  if (!isNamed) setStarts();
  if (!isNamed || (nodeType.includes("comment") && !isError)) return;
  const type = isError ? shape.typeNames.length : nodeTypeId;
  const row: Row = { type, field: cursor.currentFieldId, parent, start: -1, end: -1 };
  const number = rows.push(row) - 1;
  const isInner = isError || shape.classes[nodeTypeId] === INNER_NODE;
  if (isInner && cursor.gotoFirstChild()) {
    do addRows(cursor, number, { rows, shape });
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  setStarts();
  const last = rows.at(-1);
  row.end = last === undefined || last === row ? end : last.end;
}
