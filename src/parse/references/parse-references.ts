// Reads the uses, imports and types of a file from its syntax tree.
import type { Language, Node } from "web-tree-sitter";

import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import { referenceRulesFor } from "../languages/reference-rules-by-language.ts";
import { DEFINITION_RULES } from "../languages/definition-rules-by-language.ts";
import type { FileReferences } from "./references.ts";
import { Expressions } from "./expressions.ts";
import { FileScopes } from "./file-scopes.ts";
import { FileSymbols } from "./file-symbols.ts";
import { compileRules, partOf, type GrammarRules } from "./grammar-rules.ts";
import { readUses } from "./read-uses.ts";
import { SignatureReader } from "./signatures.ts";
import { readSymbolTypes } from "./symbol-types.ts";
import { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

interface ReferenceSource {
  /** The copy of the tree. */
  readonly tree: FlatSyntaxTree;
  /** Id of the grammar of the tree. */
  readonly grammar: string;
  /** The file's definitions. Owners and targets are numbered in this order. */
  readonly symbols: readonly SymbolDefinition[];
  /** Offset of each name in the text, in UTF-16 code units; -1 if unknown. */
  readonly names: readonly number[];
  /** Of a component file, whose tree is that of another text: see `ComponentFile`. */
  readonly originOf?: ((offset: number) => number) | undefined;
}

const compiled = new WeakMap<Language, GrammarRules>();

/** Copies the tree of a text. `grammar`: id of the grammar of the tree. Valid until the next tree is copied. */
export function flatTreeOf(root: Node, text: string, grammar: string): FlatSyntaxTree {
  return new FlatSyntaxTree(root, text, rulesOf(root.tree.language, grammar).shape);
}

/** Returns the references of a file. */
export function parseReferences(root: Node, source: ReferenceSource): FileReferences {
  const grammar = rulesOf(root.tree.language, source.grammar);
  const { tree } = source;
  const file = new FileScopes(tree, grammar, new FileSymbols(tree, grammar, source));
  const expressions = new Expressions(file);
  const { overloads } = grammar.rules;
  const signatures = overloads && new SignatureReader(file, expressions, overloads);
  const types = readSymbolTypes(file, expressions);
  return {
    uses: readUses(file, expressions, signatures),
    imports: file.imports,
    types,
    ...(signatures && { signatures: signatures.readSignatures(types) }),
    ...(expressions.shapes && { signatures: expressions.shapes.readAll() }),
    ...(grammar.rules.distinctions && { signatures: distinctionsIn(file) }),
    package: packageOf(file),
  };
}

function rulesOf(language: Language, id: string): GrammarRules {
  let rules = compiled.get(language);
  if (rules === undefined) {
    const definitions = Object.keys(DEFINITION_RULES.get(id)?.definitions ?? {});
    rules = compileRules(language, referenceRulesFor(id, language), definitions);
    compiled.set(language, rules);
  }
  return rules;
}

/** Returns the marks of the symbols of a file. */
function distinctionsIn({ tree, grammar, symbols }: FileScopes): string[] {
  const { distinctions } = grammar.rules;
  const marks = symbols.list.map(({ signature }, symbol) => {
    const node = symbols.nodeOf(symbol);
    const mark =
      node === -1
        ? distinctions?.ofSignature?.(signature)
        : distinctions?.ofDefinition(node, tree, symbols.leafOf(symbol));
    return mark ?? "";
  });
  return marks.some((mark) => mark !== "") ? marks : [];
}

function packageOf({ tree, grammar }: FileScopes): string {
  const rule = grammar.rules.package;
  if (rule === undefined) return "";
  if (typeof rule === "function") return rule(tree);
  // The declaration may be inside a preprocessor condition.
  const blocks = tree.children(0).filter((node) => tree.typeName(node).startsWith("preproc"));
  for (const around of [0, ...blocks]) {
    for (const node of tree.childrenOfType(around, ...[rule.node].flat())) {
      const name = partOf(tree, node, rule.name);
      if (name !== -1) return tree.textOf(name).replaceAll(/\s+/g, "");
    }
  }
  return "";
}
