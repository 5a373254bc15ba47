// Syntax trees for the comparison: only from the grammars, without svc's interpretation of them.
import { readFileSync } from "node:fs";
import path from "node:path";

import { Language, Parser, Query, type Node, type Tree } from "web-tree-sitter";

import { readAsset, readGrammar } from "../../src/base/assets.ts";
import { setParserText } from "../../src/parse/parser-input.ts";
import { DEFINITION_RULES } from "../../src/parse/languages/definition-rules-by-language.ts";
import type { Tag } from "./tag.ts";

const MODULES = path.join(import.meta.dirname, "../../node_modules");
/** Nodes whose insides are local to them. */
const FUNCTIONS =
  /function|method|lambda|closure|arrow|constructor|accessor|func_literal|^do_block$|^init$|getter|setter/;
const LAMBDAS = /lambda|closure|do_block/;
const REQUIRED = /=\s*(?:await\s+import|require)\s*\(/;
const BODIES = /block|body|statement|accessors|expression/;
const MACROS = /macro_invocation|^preproc_(?:function_)?def$/;

interface Grammar {
  readonly parser: Parser;
  readonly query: Query | undefined;
}

export class SyntaxTrees {
  readonly #grammars: ReadonlyMap<string, Grammar>;

  private constructor(grammars: ReadonlyMap<string, Grammar>) {
    this.#grammars = grammars;
  }

  /** `packages`: those whose `queries/tags.scm` apply, one after the other. */
  static async of(packages: readonly string[], grammars: Iterable<string>): Promise<SyntaxTrees> {
    await Parser.init({ wasmBinary: new Uint8Array(readAsset("tree-sitter.wasm")) });
    const source = packages
      .map((name) => readFileSync(path.join(MODULES, name, "queries/tags.scm"), "utf8"))
      .join("\n");
    const loaded = new Map<string, Grammar>();
    for (const grammar of new Set(grammars)) {
      const bytes = readGrammar(grammar);
      if (bytes === undefined) throw new Error(`svc has no grammar for ${grammar}`);
      // oxlint-disable-next-line no-await-in-loop -- there are up to two
      const language = await Language.load(new Uint8Array(bytes));
      const query = source === "" ? undefined : new Query(language, source);
      loaded.set(grammar, { parser: new Parser().setLanguage(language), query });
    }
    return new SyntaxTrees(loaded);
  }

  /** The definitions of the tags queries. */
  definitions(file: string, text: string, grammar: string): readonly Tag[] {
    const { query } = this.#grammarOf(grammar);
    if (query === undefined) return [];
    return this.#withTree(text, grammar, ({ rootNode }) =>
      query.matches(rootNode).flatMap(({ captures }) => {
        const kind = captures.find(({ name }) => name.startsWith("definition."))?.name;
        const named = captures.find(({ name }) => name === "name")?.node;
        if (kind === undefined || named === undefined) return [];
        return [{ path: file, name: named.text, kind, line: named.startPosition.row + 1 }];
      }),
    );
  }

  /** The container of each tag, if it explains why the tag is not a definition of the file. */
  surroundings(
    tags: readonly Tag[],
    text: string,
    grammar: string,
  ): readonly (string | undefined)[] {
    const lines = text.split("\n");
    return this.#withTree(text, grammar, ({ rootNode }) =>
      tags.map(({ line, name }) => {
        const last = name.split(/::|[.\\]|\s/).at(-1) ?? name;
        const column = columnOf(lines[line - 1] ?? "", last);
        if (column === -1) return "not on that line";
        const leaf = rootNode.descendantForPosition({ row: line - 1, column });
        return leaf === null ? undefined : surroundingOf(leaf);
      }),
    );
  }

  #withTree<T>(text: string, grammar: string, use: (tree: Tree) => T): T {
    const rules = DEFINITION_RULES.get(grammar);
    const prepared = rules?.repairText?.(text) ?? rules?.prepareText?.(text) ?? text;
    // The parser of this program reads its text from there.
    setParserText(prepared);
    const tree = this.#grammarOf(grammar).parser.parse(prepared);
    if (tree === null) throw new Error(`no tree of ${grammar}`);
    try {
      return use(tree);
    } finally {
      tree.delete();
    }
  }

  #grammarOf(grammar: string): Grammar {
    const known = this.#grammars.get(grammar);
    if (known === undefined) throw new Error(`the grammar of ${grammar} was not asked for`);
    return known;
  }
}

/** Index of `word` in the line as a whole word, else anywhere; -1 if it does not occur. */
function columnOf(line: string, word: string): number {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const whole = new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).exec(line);
  return whole?.index ?? line.indexOf(word);
}

function surroundingOf(leaf: Node): string | undefined {
  if (/comment|string|char_literal|heredoc|text/.test(leaf.type)) return "in a comment or a string";
  let inner = leaf;
  let around: string | undefined;
  for (let node = leaf.parent; node !== null; node = node.parent) {
    const binding = localTo(node, inner);
    if (binding !== undefined) return binding;
    around ??= obstacleOf(node);
    inner = node;
  }
  return around ?? useOf(leaf);
}

/** The scope that `inner` is local to, if `node` is the reason. */
function localTo(node: Node, inner: Node): string | undefined {
  if (MACROS.test(node.type) && inner.id !== node.childForFieldName("name")?.id)
    return "inside a macro";
  return FUNCTIONS.test(node.type) && isBody(node, inner) ? "inside a function" : undefined;
}

function obstacleOf(node: Node): string | undefined {
  if (/^object_(?:creation_expression|literal)$/.test(node.type))
    return "inside an anonymous class";
  const isLost = node.type === "ERROR" || (node.parent?.parent === null && node.hasError);
  return isLost ? "not in the grammar" : undefined;
}

/** The role of a word that names nothing in its place. */
function useOf(leaf: Node): string | undefined {
  const { parent } = leaf;
  if (parent === null) return undefined;
  if (/import|export_specifier|use_/.test(parent.type)) return "import";
  if (!leaf.isNamed || parent.type.includes("annotation")) return "a use of the name";
  const field = fieldOf(parent, leaf);
  if (parent.type === "pair" && field === "key") return "key of an object";
  const isNamed = field !== undefined && /^(?:name|declarator|left|pattern|alias)$/.test(field);
  if (!isNamed && !/pattern|list|parameter|variable_declaration|enum_entry/.test(parent.type))
    return "a use of the name";
  for (let node: Node | null = parent; node !== null; node = node.parent) {
    if (node.type === "variable_declarator" && REQUIRED.test(node.text)) return "import";
    if (/^(?:for|while|do|try|if|switch)_(?:\w+_)?statement$|^statement_block$/.test(node.type))
      return "local to a block";
  }
  return undefined;
}

function fieldOf(parent: Node, child: Node): string | undefined {
  const at = parent.children.findIndex((each) => each.id === child.id);
  return parent.fieldNameForChild(at) ?? undefined;
}

function isBody(node: Node, inner: Node): boolean {
  if (LAMBDAS.test(node.type)) return !inner.type.includes("parameter");
  const body = node.childForFieldName("body");
  return body === null ? BODIES.test(inner.type) : body.id === inner.id;
}
