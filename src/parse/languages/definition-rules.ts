// The rules by which a language declares which nodes of its syntax tree are definitions.
import type { Node } from "web-tree-sitter";

import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";
import type { ComponentFile } from "../markup/component-file.ts";

/** The kinds of definitions. "section" and "text" are parts of prose and data. */
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
 * From where a definition can be used: "exported": from other modules or packages; "internal": from the rest
 * of its module, package or class family; "private": from its class or file only.
 */
export type AccessLevel = "exported" | "internal" | "private";

/** A named range of lines, with the definitions inside it. Lines are 1-based and inclusive. */
export interface Definition {
  readonly name: string;
  /** The type that owns the definition although it is defined elsewhere, such as the receiver in Go. */
  readonly owner: string | undefined;
  readonly kind: SymbolKind;
  /** First line, including the comments, decorators and attributes of the definition. */
  startLine: number;
  endLine: number;
  /** Line of the name; `startLine` if unknown. */
  nameLine: number;
  /** Offset of the name in the text, in UTF-16 code units; -1 if unknown. */
  nameIndex: number;
  access: AccessLevel;
  signature: string;
  docLine: string | undefined;
  /** False for blocks that have a name but are not symbols: an `impl` block, a test, a group of constants. */
  readonly isSymbol: boolean;
  /** True if the name is a title (of a heading or a test). Titles are joined by " > ". */
  readonly isTitle: boolean;
  /** True for definitions that never become a chunk of their own, such as fields. */
  readonly isInline: boolean;
  /** False for a group, whose name does not qualify its members. */
  readonly isScope: boolean;
  /** True for a heading of a notebook: it qualifies other titles, but not the names that the code below it defines. */
  isAboveCode?: true;
  members: Definition[];
}

/** The definitions of a file, and where it may be cut. */
export interface ParsedOutline {
  /** In the order of the file. */
  readonly definitions: readonly Definition[];
  /**
   * Cost of a cut before each line (index = line - 1), for text that is too long: 0 = no cut, 1 = between
   * top-level statements, higher = deeper nesting.
   */
  readonly cuts: Uint8Array;
}

/** A name and its position. */
export interface Name {
  readonly text: string;
  /** Offset in the text, in UTF-16 code units. */
  readonly index: number;
  /** Line, 0-based. */
  readonly row: number;
}

/** How a node becomes a definition. */
export interface DefinitionRule {
  /** A function in a type is a method; a field outside all types is a constant. */
  readonly kind: SymbolKind;
  /**
   * Returns the name, or undefined if the node is not a definition. Default: the field `name`. A name
   * returned as a string gets the position of its first occurrence in the declaration.
   */
  readonly name?: (node: Node) => Name | string | undefined;
  /** Returns the type that owns the definition although it is defined elsewhere. */
  readonly owner?: (node: Node) => string | undefined;
  /** Returns the node where the signature ends and the body begins. Default: the field `body`. */
  readonly body?: (node: Node) => Node | undefined;
  /** Returns the documentation inside the body, as in Python. */
  readonly doc?: (node: Node) => string | undefined;
  /** True if the body consists of definitions that may become chunks. */
  readonly hasMembers?: boolean;
  /** The node with small definitions that stay in this one's chunk: fields, variants, interface methods. */
  readonly fields?: "body" | ((node: Node) => Node | undefined);
  /** Returns members before the body, such as the components of a record. */
  readonly headMembers?: (node: Node) => readonly LeafDefinition[];
  /** Returns the access of members that do not declare it. Default: `LanguageRules.access` decides. */
  readonly section?: (node: Node) => AccessLevel | undefined;
  /** True if `_` is a name, as that of a constructor `Store._()` of Dart. */
  readonly mayBeUnderscore?: true;
  /** See `Definition`, also for the next two. */
  readonly isSymbol?: false;
  readonly isTitle?: true;
  readonly isInline?: true;
}

/** Selects the rule for node types whose meaning depends on their content or context. */
export type RuleChoice = (node: Node, parent: SymbolKind | undefined) => DefinitionRule | undefined;

/** A node with its own rule. It never becomes a chunk. */
export interface LeafDefinition {
  readonly node: Node;
  readonly rule: DefinitionRule;
}

/** The facts in the source that determine the access of a definition. */
export interface AccessFacts {
  /** Type of the node. */
  readonly type: string;
  readonly name: string;
  readonly kind: SymbolKind;
  /**
   * The source before the name, including modifiers and keywords of the enclosing statement; truncated if
   * long.
   */
  readonly head: string;
  /** Kind of the definition that contains this one; undefined at the top level. */
  readonly parent: SymbolKind | undefined;
  /** Access of the containing definition; at the top level, see `fileAccess`. */
  readonly outer: AccessLevel;
  /** The access that a section such as `private:`, or the containing definition, gives its members. */
  readonly section: AccessLevel | undefined;
}

/** A statement that sets the access of sibling definitions: `public:`, `export { a, b }`. */
export interface AccessChange {
  readonly access: AccessLevel;
  /** The definitions by name, anywhere in the block; undefined: all following ones. */
  readonly names?: ReadonlySet<string>;
}

/** The definition rules of a language. Records are keyed by node type. */
export interface LanguageRules {
  /** Nodes that are definitions. */
  readonly definitions: Readonly<Record<string, DefinitionRule | RuleChoice>>;
  /**
   * Additional small definitions at a node: the further names of a declaration, the names of a pattern, a
   * namespace whose members are treated as top-level.
   */
  readonly additionalDefinitions?: Readonly<
    Record<
      string,
      (node: Node, text: string, parent: SymbolKind | undefined) => readonly DefinitionRule[]
    >
  >;
  /**
   * Returns the body of a node that is not a definition but contains definitions that never become chunks,
   * such as an anonymous union.
   */
  readonly inlineBlocks?: Readonly<Record<string, (node: Node) => Node | undefined>>;
  /** Returns the members of a class that a method creates by assigning them. Each name counts once. */
  readonly attributes?: Readonly<
    Record<string, (node: Node, text: string) => readonly LeafDefinition[]>
  >;
  /** Returns the fields of a type, which is their owner, that a function outside a class creates by assigning them. */
  readonly ownedFields?: Readonly<
    Record<string, (node: Node, text: string) => readonly LeafDefinition[]>
  >;
  /**
   * Returns the access of a definition. Default: "internal". Functions inside functions are always
   * "private".
   */
  readonly access?: (facts: AccessFacts) => AccessLevel;
  /** Returns the access of top-level definitions that do not declare it. Default: "internal". */
  readonly fileAccess?: (path: string, text: string) => AccessLevel;
  /** Returns the access that a statement gives its siblings. */
  readonly accessChanges?: Readonly<
    Record<string, (node: Node, text: string) => AccessChange | undefined>
  >;
  /** Returns the last node of a definition, in grammars whose blocks go on up to the next statement. Default: the node itself. */
  readonly lastNode?: (node: Node) => Node;
  /** Nodes that wrap one definition and are part of it: `export …`, decorators, `template <…>`. */
  readonly wrappers?: ReadonlySet<string>;
  /** Nodes whose children are treated as siblings of the node: namespaces, `#ifdef`, `if TYPE_CHECKING`. */
  readonly blocks?: ReadonlySet<string>;
  /** Nodes with several small definitions that belong together: `const ( … )`. */
  readonly groups?: ReadonlySet<string>;
  /** Siblings that belong to the next definition: comments, attributes, decorators. */
  readonly attached: ReadonlySet<string>;
  /** Returns the same for nodes that the type does not determine. */
  readonly isAttached?: (node: Node) => boolean;
  /**
   * Returns the node whose statements are searched as well, such as a function that is called immediately.
   */
  readonly enter?: (node: Node) => Node | undefined;
  /** Returns the text to parse instead. It has the same length and line breaks. */
  readonly prepareText?: (text: string) => string;
  /** Returns the file as code, if its markup uses names. `prepared`: the result of `prepareText`. */
  readonly readComponent?: (text: string, prepared: string, path: string) => ComponentFile;
  /**
   * Returns a text, as for `prepareText`, from which definitions are read if the grammar cannot parse the
   * original completely. Chunks are still cut from the original.
   */
  readonly repairText?: (text: string) => string;
  /** True if functions are often nested in functions. */
  readonly hasNestedFunctions?: boolean;
  /** Returns a test of the names of variables in the body of a function: those for which it returns true are symbols. */
  readonly localsOf?: (body: Node, tree: FlatSyntaxTree) => (name: string) => boolean;
  /**
   * Matches the body of a short function that contains functions to index. Without it, only long functions
   * are searched.
   */
  readonly nestedFunctionPattern?: RegExp;
  /** Returns the object that a function with that body returns: its keys are members of the function. */
  readonly returnedObject?: (body: Node) => Node | undefined;
  /** Returns a test of the names in that object: variables and functions of the body with such a name are symbols. */
  readonly returnedNames?: (body: Node) => ((name: string) => boolean) | undefined;
  /** True if neighbours with the same name are clauses or overloads of one definition. */
  readonly hasClauses?: boolean;
}

/** Returns the whole text of a node as a name. */
export function nameAt(node: Node | null | undefined): Name | undefined {
  if (node === null || node === undefined) return undefined;
  return { text: node.text, index: node.startIndex, row: node.startPosition.row };
}

/** Returns a part of a node as a name: the last occurrence, as in `a.b.name`. */
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

/** Returns the text of a string literal as a title. */
export function titleAt(node: Node | null | undefined): Name | undefined {
  if (node === null || node === undefined) return undefined;
  const { text } = node;
  // Fast path for a single word.
  return /^[\w$#]+$/.test(text) ? nameAt(node) : nameWithin(node, literalText(node));
}

/** Returns the child in a field as a name, or undefined. */
export function fieldName(node: Node, field: string): Name | undefined {
  return nameAt(node.childForFieldName(field));
}

/** Returns the text of the child in a field, or undefined. */
export function fieldText(node: Node, field: string): string | undefined {
  return node.childForFieldName(field)?.text;
}

/** Returns the child in a field, or undefined. */
export function fieldNode(node: Node, field: string): Node | undefined {
  return node.childForFieldName(field) ?? undefined;
}

/** Returns the first named child of one of the types, or undefined. */
export function childOfType(node: Node, ...types: readonly string[]): Node | undefined {
  return node.namedChildren.find((child) => types.includes(child.type));
}

/** Returns the source from the start of the node to its name: modifiers and keywords. */
export function textBeforeName(node: Node): string {
  const name = node.childForFieldName("name");
  return name === null ? "" : node.text.slice(0, name.startIndex - node.startIndex);
}

export function isOneLine(node: Node): boolean {
  return node.startPosition.row === node.endPosition.row;
}

/** Returns the number of lines of the node. */
export function lineSpan(node: Node): number {
  return node.endPosition.row - node.startPosition.row + 1;
}

/** Returns the text of a string literal without quotes, on one line, up to 120 characters. */
export function literalText(node: Node): string {
  return node.text
    .slice(0, 200)
    .replace(/^[rbuf]*["'`]+|["'`]+$/g, "")
    .replace(/\s+/g, " ")
    .slice(0, 120);
}

/** Splits `a::b::c` or `a.b:c` at the last separator. */
export function splitQualified(text: string): { owner: string | undefined; name: string } {
  const parts = text.replace(/\s+/g, "").split(/::|[.:\\]/);
  const name = parts.pop() ?? text;
  const owner = parts.filter((part) => part !== "").join(".");
  return { owner: owner === "" ? undefined : owner, name };
}
