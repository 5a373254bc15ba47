// The vocabulary in which a language says what the nodes of its syntax tree do with names: which hold
// scopes, which declare locals, which are calls, accesses to members, types and imports. The readers in
// parse/references/ do the rest. Node types and fields that a grammar does not have are passed over, so
// that related grammars share rules.
import type { ImportReader } from "../references/imports.ts";
import type { UseRole } from "../references/references.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/**
 * Where a part of a node stands: the name of a field, or the number of a named child, counted from the end
 * when it is negative. Comments are no children. "." stands for the node itself, "*" for all children, which is of use for
 * names alone. Of several the first that is there counts. A function finds what stands elsewhere.
 */
export type NodePart = string | number | readonly (string | number)[] | NodePartFinder;
/** Gives a node, -1 when there is none. */
export type NodePartFinder = (node: number, tree: FlatSyntaxTree) => number;

/**
 * What a leaf does with its text.
 *
 *     "value"   a name: of a local, of a definition, of a member where a rule says so
 *     "type"    the same, and the name of a type
 *     "member"  the name of a member, and nothing where no rule takes it as one
 */
export type NameKind = "value" | "type" | "member";

export type ScopeKind = "function" | "block" | "type";

/**
 * What an expression stands for. Expressions without a rule are unknown, leaves that are names are what they
 * name.
 */
export type ValueRule =
  /**
   * `object.name`; without the object a bare name. The name need not be a leaf of kind "member". A leaf may be the
   * name itself ("."), where what it is a member of is not beside it.
   */
  | {
      readonly is: "member";
      readonly object: NodePart;
      readonly name: NodePart;
      /** True when it is a bare name where the file has such a one, or nothing is known of the object. */
      readonly isBareToo?: true;
    }
  /** `callee(…)`; of the arguments see `ReferenceRules.calls`. */
  | { readonly is: "call"; readonly callee: NodePart; readonly arguments?: NodePart }
  /** `object.name(…)` as one node; without the object a bare call. */
  | {
      readonly is: "invocation";
      readonly object: NodePart;
      readonly name: NodePart;
      readonly arguments?: NodePart;
    }
  /** `new type(…)`, `type { … }`: an instance of it. */
  | { readonly is: "construction"; readonly type: NodePart }
  /** `of[index]`; a string as index is the name of a member. */
  | { readonly is: "element"; readonly of: NodePart; readonly index?: NodePart }
  /** Says the type of its value; where that cannot be said (`as const`) the value counts. */
  | { readonly is: "cast"; readonly type: NodePart; readonly value: NodePart }
  /** Parentheses, `await`, `!`, `&x`: as much as what is in it. */
  | { readonly is: "through"; readonly of: NodePart }
  /** The first of which something is known: `a ?? b`, `a ? b : c`. */
  | {
      readonly is: "either";
      readonly of: readonly NodePart[];
      /** Whether it gives one of its parts: `a + b` does not. */
      readonly when?: (node: number, tree: FlatSyntaxTree) => boolean;
    }
  /** `[a, b]`: several of what the first element is, else an instance of `type`. */
  | { readonly is: "list"; readonly type: string }
  /** A literal: an instance of the type. */
  | { readonly is: "literal"; readonly type: string }
  /** Gives what it returns when it is called. `expression` bodies are not blocks. */
  | { readonly is: "function"; readonly returns?: NodePart; readonly body: NodePart }
  /** `this`, `self`. */
  | { readonly is: "self" }
  /** `super`, `base`: an instance of the first of the supertypes. */
  | { readonly is: "base" };

/** What a type is, as an expression. Types without a rule are unknown. */
export type TypeRule =
  /** `a.b.Name`, made of the names in it. */
  | { readonly is: "path" }
  /** `Name<A, B>`; see `ReferenceRules.containers`. */
  | { readonly is: "generic"; readonly name: NodePart; readonly arguments: NodePart }
  /** `of[]`, `...of` */
  | { readonly is: "several"; readonly of: NodePart }
  | { readonly is: "through"; readonly of: NodePart }
  /** `A | B`: known when there is one besides those that stand for nothing, such as `null`. */
  | { readonly is: "union" }
  /** A type that the language names with a keyword; those excepted say nothing. */
  | { readonly is: "builtin"; readonly except?: readonly string[] }
  /** A type that a literal stands for. */
  | { readonly is: "literal"; readonly type: string }
  /** A string with the name of a type in it. */
  | { readonly is: "quoted" }
  /** Nothing, in a union: `null`, `void`. */
  | { readonly is: "nothing" }
  /** `typeof x`: what the value is. */
  | { readonly is: "value"; readonly of: NodePart }
  /** `Foo["bar"]` */
  | { readonly is: "member"; readonly of: NodePart; readonly name: NodePart }
  /** `Self`, `this` as a type. */
  | { readonly is: "self" };

/** How a pattern hands on what it is matched with. Leaves that are names take it. */
export type PatternRule =
  /**
   * All children are patterns, each for the value that the step leads to: "", "[]", "?". `inLoop` has those of
   * the children of what a loop itself matches: `[key, value]` for the entries of a map.
   */
  | {
      readonly is: "each";
      /** "=" before an expression: the value is that, whatever it comes from. */
      readonly step: string | ((node: number, tree: FlatSyntaxTree) => string);
      readonly inLoop?: readonly string[];
      /** Field of what is no pattern: the type in front. */
      readonly except?: string;
    }
  /** One child is the pattern. */
  | { readonly is: "through"; readonly of: NodePart }
  /** `key: value`: the pattern is for the member of that name; without a value the key is the pattern, too. */
  | { readonly is: "pair"; readonly key: NodePart; readonly value: NodePart }
  /** A leaf that names the member and the local at once: `{ name }`. */
  | { readonly is: "shorthand" };

/** Locals that a node declares. Names that are those of symbols stand for the symbol. */
export interface Declaration {
  /** The names, or a pattern with `PatternRule`s; all children that the part matches are taken. */
  readonly names: NodePart;
  /** Whether the node declares anything in this way. */
  readonly when?: (node: number, tree: FlatSyntaxTree) => boolean;
  /** What it says of their type. */
  readonly type?: NodePart;
  /** What they are set to. */
  readonly value?: NodePart;
  /** What leads from the value to what the pattern is matched with: "[]" in loops. */
  readonly step?: "[]";
  /** True when names and values stand in lists, one for one; a single value is for the first of the names. */
  readonly isParallel?: true;
  /**
   * Where they are visible: in the scope around the node (default), in the scope that the node opens, in
   * the function around it.
   */
  readonly in?:
    | "own"
    | "function"
    | ((node: number, tree: FlatSyntaxTree) => "function" | undefined);
  /** True for parameters: their types may come from the call that a function is handed to. */
  readonly isParameter?: true;
  /** True when the name is also one of a field of the type around it: `constructor(private x: X)`. */
  readonly isField?: (node: number, tree: FlatSyntaxTree) => boolean;
}

export type Roles = Readonly<Record<string, UseRole | "none">>;

export type SelfRule = "own" | "none" | { readonly type: NodePart };

export interface NodeRule {
  /** Opens a scope. Functions hold what is declared in the function around it. */
  readonly scope?: ScopeKind | ((node: number, tree: FlatSyntaxTree) => ScopeKind | undefined);
  /**
   * What `self` is in the scope: the symbol that the node defines ("own", default of scopes of types), unknown
   * ("none"), or the type that stands in a part of the node, as in `impl Foo`. Scopes that say nothing have
   * that of the scope around them.
   */
  readonly self?: SelfRule | ((node: number, tree: FlatSyntaxTree) => SelfRule | undefined);
  readonly declares?: readonly Declaration[];
  readonly value?: ValueRule;
  readonly type?: TypeRule;
  readonly pattern?: PatternRule;
  /**
   * What a name does that a part of the node comes to; "0" stands for the first part, "*" for all. Names inside of the part
   * besides that are not concerned: in `extends a.Base<Foo>` only `Base` is. "none" makes it no use.
   */
  readonly roles?: Roles | ((node: number, tree: FlatSyntaxTree) => Roles | undefined);
  /** True when all names in it are those of types. */
  readonly isType?: true;
  /** True for what stands before the definition that it belongs to: decorators, attributes. */
  readonly leads?: true;
  /** What a symbol that the node defines holds: the type it says, else the value it has. */
  readonly holds?: { readonly type?: NodePart; readonly value?: NodePart } | "self";
  /** Sets fields of the type around it: `self.x = y` in a language that does not declare them. */
  readonly sets?: { readonly member: NodePart; readonly type?: NodePart; readonly value: NodePart };
  /** Reads an import; true when nothing else in the node is of interest. */
  readonly imports?: (node: number, reader: ImportReader) => boolean;
  /** True when nothing in it is a use. */
  readonly isIgnored?: true;
  /** What a name with this text is a use of, as the node or as a child of it: `FlagsAttribute` for `[Flags]`. */
  readonly means?: (name: string) => string;
  /** Whether a name with this text can be a use as a child of the node. */
  readonly accepts?: (name: string) => boolean;
}

/** How types with parameters are looked through. */
export interface Container {
  /** Number of the argument that counts, from the end when negative. */
  readonly argument: number;
  /** True when it holds several. */
  readonly isCollection: boolean;
}

/** What a call gives: an instance of the type that is one of its arguments, that argument, several such. */
export interface CallResult {
  readonly argument: number;
  readonly returns: "instance" | "value" | "several";
}

export interface ReferenceRules {
  /** Leaves that are names, by node type. */
  readonly names: Readonly<Record<string, NameKind>>;
  readonly nodes: Readonly<Record<string, NodeRule>>;
  readonly containers?: Readonly<Record<string, Container>>;
  /** Nodes that give the value of a function: `return`. The value is their first child. */
  readonly returns?: readonly string[];
  /** Node types that hold statements, so that a function with such a body gives what is returned. */
  readonly blocks?: readonly string[];
  /**
   * For the name of a method the steps from the object to each parameter of a function handed to it:
   * `map: ["[]"]`.
   */
  readonly callbacks?: Readonly<Record<string, readonly string[]>>;
  /** Members of what holds several: those that give as many, and those that give one. */
  readonly collectionMembers?: Readonly<Record<string, "same" | "element">>;
  /**
   * From where members of a type can be named without an object: from nowhere ("none", default), from the
   * statements of its body but not from its functions ("body"), from everywhere in it ("all").
   */
  readonly members?: "none" | "body" | "all";
  /** True when a value never hides a type of its name: `struct node *node`. */
  readonly areTypesApart?: boolean;
  /** True when a value never hides a function of its name: a field `size` and a method `size()`. */
  readonly areFunctionsApart?: boolean;
  /** True when a local is visible only after its declaration, as where it may be declared anew. */
  readonly isSequential?: boolean;
  /** True when the first parameter of a method is `self`. */
  readonly hasSelfParameter?: boolean;
  /** A function whose call gives what `super` is. */
  readonly baseFunction?: string;
  /** By what is called, as it is written: `make` of Go, `Box::new` of Rust. */
  readonly calls?: Readonly<Record<string, CallResult>>;
  /** How names look that patterns declare: others are names of constants. */
  readonly patternNames?: RegExp;
  /** The name of the type around: `Self`. */
  readonly selfType?: string;
  /** Methods of a type that give an instance of it: `Foo.new`. */
  readonly constructs?: readonly string[];
  /** Leaves that are calls where they are bare names of no locals. */
  readonly calledNames?: readonly string[];
  /** Bare names that are never uses. */
  readonly ignored?: readonly string[];
  /** Reads the package that the file says it is of, at the first node of one of the types. */
  readonly package?: { readonly node: string | readonly string[]; readonly name: NodePart };
  /** Words that the grammar has no named nodes for and that count as leaves: `this`. */
  readonly keywords?: readonly string[];
}
