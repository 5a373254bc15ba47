// Names in a source file, as its syntax tree has them.
import type { Node } from "web-tree-sitter";

import type { Grammars } from "../../src/parse/syntax.ts";

export interface Occurrence {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  readonly name: string;
}

/** Nodes that are one name: `identifier`, `type_identifier`, `field_identifier`, … */
const NAME = /(?:^|_)identifier$/;
/** Nodes that consist of names, each a separate occurrence. */
const COMPOUND = new Set(["scoped_identifier", "scoped_type_identifier"]);
/** Fields in which a definition holds its own name. */
const DEFINING = /(?:definition|declaration|declarator|spec|item|parameter|variant)$/;

/**
 * In the order of the text. Omitted: the names of definitions, as far as the tree shows them, and names that
 * occur twice on their line, because a use is identified only by its line.
 */
export function occurrencesIn(
  grammars: Grammars,
  grammar: string,
  text: string,
): readonly Occurrence[] {
  const parsed = grammars.parse(grammar, text, (root) => {
    const found: Occurrence[] = [];
    collect(root, found);
    return found;
  });
  const all = parsed !== undefined && "value" in parsed ? parsed.value : [];
  const counts = Map.groupBy(all, ({ line, name }) => `${line}:${name}`);
  return all.filter(({ line, name }) => counts.get(`${line}:${name}`)?.length === 1);
}

function collect(node: Node, found: Occurrence[]): void {
  if (NAME.test(node.type) && !COMPOUND.has(node.type)) {
    if (!isDefined(node)) {
      const { row, column } = node.startPosition;
      found.push({ line: row + 1, column: column + 1, name: node.text });
    }
    return;
  }
  for (const child of node.namedChildren) collect(child, found);
}

function isDefined(node: Node): boolean {
  const { parent } = node;
  return (
    parent !== null &&
    DEFINING.test(parent.type) &&
    parent.childForFieldName("name")?.id === node.id
  );
}
