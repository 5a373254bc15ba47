// The vocabulary in which a language says which nodes of its syntax tree are definitions.
import type { Node } from "web-tree-sitter";

export type Kind =
  | "function"
  | "method"
  | "class"
  | "type"
  | "constant"
  | "module"
  | "section"
  | "text";

/** A named place in a file, with the places inside it. Lines are 1-based and inclusive. */
export interface Definition {
  readonly name: string;
  /** Type that owns the definition although it stands outside of it, e.g. the receiver in Go. */
  readonly owner: string | undefined;
  readonly kind: Kind;
  /** First line of the comments, decorators and attributes that belong to it. */
  startLine: number;
  endLine: number;
  signature: string;
  docLine: string | undefined;
  /** False for places that only have a name: an `impl` block, a test, a group of constants. */
  readonly isSymbol: boolean;
  /** True when the name is a sentence (a heading, a test), so that names are joined by " > ". */
  readonly isTitle: boolean;
  /** True for what never becomes a chunk of its own, such as a field. */
  readonly isInline: boolean;
  /** False for a group, whose name does not qualify the names of its members. */
  readonly isScope: boolean;
  members: Definition[];
}

export interface Outline {
  /** In the order of the file. */
  readonly definitions: readonly Definition[];
  /**
   * For each line (index = line - 1) how good it is to cut before it when something is too long:
   * 0 = not at all, 1 = between statements of the outermost level, higher = deeper inside.
   */
  readonly cuts: Uint8Array;
}

/** How a node type becomes a definition. */
export interface DefinitionRule {
  readonly kind: Kind;
  /** The name, or undefined when the node is no definition after all. Default: the field `name`. */
  readonly name?: (node: Node) => string | undefined;
  readonly owner?: (node: Node) => string | undefined;
  /** Where the signature ends and the inside begins. Default: the field `body`. */
  readonly body?: (node: Node) => Node | undefined;
  /** Text that documents the definition from the inside, as in Python. */
  readonly doc?: (node: Node) => string | undefined;
  /** True when the inside consists of further definitions, each an answer of its own. */
  readonly hasMembers?: boolean;
  readonly isSymbol?: false;
  readonly isTitle?: true;
  readonly isInline?: true;
}

/** Picks the rule for node types whose meaning depends on what is in them or around them. */
export type RuleChoice = (node: Node, parent: Kind | undefined) => DefinitionRule | undefined;

export interface LanguageRules {
  readonly definitions: Readonly<Record<string, DefinitionRule | RuleChoice>>;
  /** Nodes around one definition that are part of it: `export …`, decorators, `template <…>`. */
  readonly wrappers?: ReadonlySet<string>;
  /** Nodes around definitions that are looked through: namespaces, `#ifdef`, `if TYPE_CHECKING`. */
  readonly blocks?: ReadonlySet<string>;
  /** Nodes that hold several small definitions which belong together: `const ( … )`. */
  readonly groups?: ReadonlySet<string>;
  /** Siblings that belong to the definition after them: comments, attributes, decorators. */
  readonly attached: ReadonlySet<string>;
  readonly isAttached?: (node: Node) => boolean;
  /** The node to look into for other statements, such as a function called on the spot. */
  readonly enter?: (node: Node) => Node | undefined;
  /** Text to parse instead, of the same length and with the same line breaks. */
  readonly prepare?: (text: string) => string;
  /** True when functions are often defined inside of functions. */
  readonly hasNestedFunctions?: boolean;
  /** True when neighbours of one name are clauses or overloads of one definition. */
  readonly hasClauses?: boolean;
}

export function fieldText(node: Node, field: string): string | undefined {
  return node.childForFieldName(field)?.text;
}

export function fieldNode(node: Node, field: string): Node | undefined {
  return node.childForFieldName(field) ?? undefined;
}

export function childOfType(node: Node, ...types: readonly string[]): Node | undefined {
  return node.namedChildren.find((child) => types.includes(child.type));
}

/** The source between the start of the node and its name: modifiers and keywords. */
export function textBeforeName(node: Node): string {
  const name = node.childForFieldName("name");
  return name === null ? "" : node.text.slice(0, name.startIndex - node.startIndex);
}

export function isOneLine(node: Node): boolean {
  return node.startPosition.row === node.endPosition.row;
}

export function lineSpan(node: Node): number {
  return node.endPosition.row - node.startPosition.row + 1;
}

/** The words in a string literal without its quotes, as one line. */
export function literalText(node: Node): string {
  return node.text
    .slice(0, 200)
    .replace(/^[rbuf]*["'`]+|["'`]+$/g, "")
    .replace(/\s+/g, " ")
    .slice(0, 120);
}

/** Splits `a::b::c` or `a.b:c` at its last separator. */
export function splitQualified(text: string): { owner: string | undefined; name: string } {
  const parts = text.replace(/\s+/g, "").split(/::|[.:\\]/);
  const name = parts.pop() ?? text;
  const owner = parts.filter((part) => part !== "").join(".");
  return { owner: owner === "" ? undefined : owner, name };
}
