// The vocabulary in which a language says which nodes of its syntax tree are definitions.
import type { Node } from "web-tree-sitter";

export type SymbolKind =
  | "function"
  | "method"
  | "class"
  | "type"
  | "constant"
  | "field"
  | "module"
  | "section"
  | "text";

/**
 * From where a definition can be used: "exported" from other modules or packages, "internal" from the rest of
 * its module, package or class family, "private" from the class or file alone.
 */
export const ACCESS_LEVELS = ["exported", "internal", "private"] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** A named place in a file, with the places inside it. Lines are 1-based and inclusive. */
export interface Definition {
  readonly name: string;
  /** Type that owns the definition although it stands outside of it, e.g. the receiver in Go. */
  readonly owner: string | undefined;
  readonly kind: SymbolKind;
  /** First line of the comments, decorators and attributes that belong to it. */
  startLine: number;
  endLine: number;
  /** Line on which the name stands; `startLine` where that is not known. */
  nameLine: number;
  /** Where the name begins in the text, in UTF-16 units; -1 where that is not known. */
  nameIndex: number;
  access: AccessLevel;
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

export interface ParsedOutline {
  /** In the order of the file. */
  readonly definitions: readonly Definition[];
  /**
   * For each line (index = line - 1) how good it is to cut before it when something is too long:
   * 0 = not at all, 1 = between statements of the outermost level, higher = deeper inside.
   */
  readonly cuts: Uint8Array;
}

/** A name and where it stands. */
export interface Name {
  readonly text: string;
  /** In UTF-16 units. */
  readonly index: number;
  /** 0-based. */
  readonly row: number;
}

/** How a node type becomes a definition. */
export interface DefinitionRule {
  /** A function in a type is a method; a field outside of all types is a constant. */
  readonly kind: SymbolKind;
  /**
   * The name, or undefined when the node is no definition after all. Default: the field `name`. Of a name
   * without a place the first one in the declaration is taken for it.
   */
  readonly name?: (node: Node) => Name | string | undefined;
  readonly owner?: (node: Node) => string | undefined;
  /** Where the signature ends and the inside begins. Default: the field `body`. */
  readonly body?: (node: Node) => Node | undefined;
  /** Text that documents the definition from the inside, as in Python. */
  readonly doc?: (node: Node) => string | undefined;
  /** True when the inside consists of further definitions, each an answer of its own. */
  readonly hasMembers?: boolean;
  /** The node around small definitions that stay with this one: fields, variants, the methods of an interface. */
  readonly fields?: "body" | ((node: Node) => Node | undefined);
  /** Members that stand before the body: the components of a record. */
  readonly headMembers?: (node: Node) => readonly LeafDefinition[];
  /** From where members can be used that say nothing about it. Default: up to `LanguageRules.access`. */
  readonly section?: (node: Node) => AccessLevel | undefined;
  readonly isSymbol?: false;
  readonly isTitle?: true;
  readonly isInline?: true;
}

/** Picks the rule for node types whose meaning depends on what is in them or around them. */
export type RuleChoice = (node: Node, parent: SymbolKind | undefined) => DefinitionRule | undefined;

/** A node with a rule of its own; it never becomes a chunk. */
export interface LeafDefinition {
  readonly node: Node;
  readonly rule: DefinitionRule;
}

/** What the source tells about who may use a definition. */
export interface AccessFacts {
  readonly type: string;
  readonly name: string;
  readonly kind: SymbolKind;
  /** The source before the name, modifiers and keywords of the statement around it included; long ones are cut. */
  readonly head: string;
  /** What the definition is a member of, and from where that can be used; outside of all see `fileAccess`. */
  readonly parent: SymbolKind | undefined;
  readonly outer: AccessLevel;
  /** What a section such as `private:`, or the definition around, says of all that stand in it. */
  readonly section: AccessLevel | undefined;
}

/** A statement about who may use the definitions beside it: `public:`, `export { a, b }`. */
export interface AccessChange {
  readonly access: AccessLevel;
  /** Of these, wherever they stand; undefined: of all that follow. */
  readonly names?: ReadonlySet<string>;
}

export interface LanguageRules {
  readonly definitions: Readonly<Record<string, DefinitionRule | RuleChoice>>;
  /**
   * Small definitions at a node besides the one it is or holds: the further names of a declaration, the names
   * of a pattern, a namespace whose inside is looked through.
   */
  readonly additionalDefinitions?: Readonly<
    Record<
      string,
      (node: Node, text: string, parent: SymbolKind | undefined) => readonly DefinitionRule[]
    >
  >;
  /** The inside of what is no definition itself but holds some that never become chunks: an anonymous union. */
  readonly inlineBlocks?: Readonly<Record<string, (node: Node) => Node | undefined>>;
  /** What a class has because of a method: attributes that are assigned in it. Each name counts once. */
  readonly attributes?: Readonly<
    Record<string, (node: Node, text: string) => readonly LeafDefinition[]>
  >;
  /** Default: "internal". Functions inside of functions are "private" in any case. */
  readonly access?: (facts: AccessFacts) => AccessLevel;
  /** From where definitions of the outermost level can be used that say nothing about it. Default: "internal". */
  readonly fileAccess?: (path: string, text: string) => AccessLevel;
  readonly accessChanges?: Readonly<
    Record<string, (node: Node, text: string) => AccessChange | undefined>
  >;
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
  readonly prepareText?: (text: string) => string;
  /**
   * Text, as for `prepareText`, from whose tree definitions are read instead when the text itself is not all that the
   * grammar expects. The chunks stay those of the text.
   */
  readonly repairText?: (text: string) => string;
  /** True when functions are often defined inside of functions. */
  readonly hasNestedFunctions?: boolean;
  /** What the inside of a shorter function with functions inside looks like. */
  readonly nestedFunctionPattern?: RegExp;
  /** True when neighbours of one name are clauses or overloads of one definition. */
  readonly hasClauses?: boolean;
}

/** The whole of a node as a name. */
export function nameAt(node: Node | null | undefined): Name | undefined {
  if (node === null || node === undefined) return undefined;
  return { text: node.text, index: node.startIndex, row: node.startPosition.row };
}

/** A name that is part of a node: the last such part, as in `a.b.name`. */
export function nameWithin(
  node: Node | null | undefined,
  name: string | undefined,
): Name | undefined {
  if (node === null || node === undefined || name === undefined) return undefined;
  const { text } = node;
  const at = text.lastIndexOf(name);
  const { row } = node.startPosition;
  if (at === -1) return { text: name, index: -1, row };
  const before = text.slice(0, at);
  const lines = before.includes("\n") ? before.split("\n").length - 1 : 0;
  return { text: name, index: node.startIndex + at, row: row + lines };
}

/** The words in a string literal, as the title of what it names. */
export function titleAt(node: Node | null | undefined): Name | undefined {
  if (node === null || node === undefined) return undefined;
  const { text } = node;
  // Most are plain words.
  return /^[\w$#]+$/.test(text) ? nameAt(node) : nameWithin(node, literalText(node));
}

export function fieldName(node: Node, field: string): Name | undefined {
  return nameAt(node.childForFieldName(field));
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
