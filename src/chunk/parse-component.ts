// Parses a component file: its scripts, and its markup as code after them.
import type { Node } from "web-tree-sitter";

import type { FlatSyntaxTree } from "../parse/flat-tree/flat-syntax-tree.ts";
import type { ParsedOutline } from "../parse/languages/definition-rules.ts";
import type { ComponentFile } from "../parse/markup/component-file.ts";
import {
  isApart,
  withComponent,
  withComponentUses,
  withoutMarkup,
} from "../parse/markup/component-symbol.ts";
import type { ParseProblem } from "../parse/parse-problems.ts";
import { flatTreeOf, parseReferences } from "../parse/references/parse-references.ts";
import type { Grammars } from "../parse/syntax.ts";
import type { TextLines } from "../parse/text-lines.ts";
import type { FileContents } from "./file-contents.ts";
import { symbolsOf } from "./outline-symbols.ts";

/** A component file to be parsed. */
interface ComponentSource {
  readonly component: ComponentFile;
  /** The scripts only. */
  readonly prepared: string;
  readonly grammar: string;
  readonly lines: TextLines;
  readonly outlineOf: (root: Node, tree: FlatSyntaxTree) => ParsedOutline;
}

/** Returns the contents of a component file. The definitions are those of its scripts, and the component. */
export function parseComponent(
  source: ComponentSource,
  grammars: Grammars,
): { value: FileContents } | { problem: ParseProblem } | undefined {
  const { component, prepared, grammar } = source;
  const parsed = grammars.parse(grammar, component.text, (root) =>
    isApart(root, component) ? contentsOf(root, component, source) : undefined,
  );
  if (parsed === undefined || "problem" in parsed) return parsed;
  if (parsed.value !== undefined) return { value: parsed.value };
  // Without its markup, the script of a file is read as far as possible.
  const bare = withoutMarkup(component, prepared);
  return grammars.parse(grammar, bare.text, (root) => contentsOf(root, bare, source));
}

function contentsOf(
  root: Node,
  file: ComponentFile,
  { grammar, lines, outlineOf }: ComponentSource,
): FileContents {
  const tree = flatTreeOf(root, file.text, grammar);
  const outline = withComponent(outlineOf(root, tree), file, lines);
  const { symbols, names } = symbolsOf(outline);
  const { originOf } = file;
  const references = parseReferences(root, { tree, grammar, symbols, names, originOf });
  return { outline, symbols, references: withComponentUses(references, { symbols, names }, file) };
}
