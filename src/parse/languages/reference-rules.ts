// The rules by which a language declares how the nodes of its syntax tree use names: scopes, local
// declarations, calls, member accesses, types and imports. The readers in parse/references/ apply them. Rules
// for node types and fields that a grammar does not have are ignored, so related grammars can share rules.
import type { ImportReader } from "../references/imports.ts";
import type { UseRole } from "../references/references.ts";
import type { TextName } from "../references/text-names.ts";
import type { Arrangement, FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";
import type { OverloadRules } from "./overload-rules.ts";
import type { ShapeRules } from "./shape-rules.ts";
import type { NarrowedType, ReadConditions } from "./type-conditions.ts";

/**
 * A part of a node: the name of a field, or the index of a named child, counted from the end if negative.
 * Comments do not count as children. "." is the node itself, "*" all children (for names only). Of a list,
 * the first part that exists is used. A function finds any other node.
 */
export type NodePart = string | number | readonly (string | number)[] | NodePartFinder;
/** Returns a node, or -1 if there is none. */
export type NodePartFinder = (node: number, tree: FlatSyntaxTree) => number;

/**
 * How a leaf uses its text.
 *
 *     "value"   a name of a local, of a definition, or of a member if a rule says so
 *     "type"    the same, and a type name
 *     "member"  a member name, ignored unless a rule makes it one
 */
export type NameKind = "value" | "type" | "member";

/** The kinds of scopes. Declarations with `in: "function"` go to the innermost "function" scope. */
export type ScopeKind = "function" | "block" | "type";

/**
 * How to evaluate an expression. Expressions without a rule are unknown; leaves that are names evaluate to
 * what they name.
 */
export type ValueRule =
  /**
   * `object.name`, or a bare name if the object is missing. The name need not be a leaf of kind "member". A
   * leaf can have the rule itself (name: ".") if its object is not a sibling.
   */
  | {
      readonly is: "member";
      readonly object: NodePart;
      readonly name: NodePart;
      /** True if it is a bare name when the file has one of that name or the object is unknown. */
      readonly isBareToo?: true;
      /** True if it is a key: a member of the object's type, or no use. */
      readonly isKey?: true;
      /** Returns what the object is if it is not written: `.name` of Zig is a member of the type that is expected. */
      readonly expected?: ExpectationFinder;
    }
  /** A value of the type that is expected at its place. */
  | { readonly is: "expected"; readonly from: ExpectationFinder }
  /** `callee(…)`. For the arguments, see `ReferenceRules.calls`. */
  | {
      readonly is: "call";
      readonly callee: NodePart;
      readonly arguments?: NodePart;
      /** The type, if the node is not a call but the fields of a literal. */
      readonly literal?: NodePart;
    }
  /** `object.name(…)` as one node, or a bare call if the object is missing. */
  | {
      readonly is: "invocation";
      readonly object: NodePart;
      readonly name: NodePart;
      readonly arguments?: NodePart;
    }
  /** `new type(…)`, `type { … }`: an instance of the type. */
  | { readonly is: "construction"; readonly type: NodePart }
  /** `of[index]`. An index that is a string is a member name. */
  | {
      readonly is: "element";
      readonly of: NodePart;
      readonly index?: NodePart;
      /** Whether it is one element, not a part of the list. */
      readonly when?: (node: number, tree: FlatSyntaxTree) => boolean;
    }
  /** The type of the cast, or the value if the type is unknown (`as const`). */
  | { readonly is: "cast"; readonly type: NodePart; readonly value: NodePart }
  /** The value of a part: parentheses, `await`, `!`, `&x`. */
  | { readonly is: "through"; readonly of: NodePart }
  /** The first of several parts that is known: `a ?? b`, `a ? b : c`. */
  | {
      readonly is: "either";
      readonly of: readonly NodePart[];
      /** Whether the value is one of the parts: for `a + b` it is not. */
      readonly when?: (node: number, tree: FlatSyntaxTree) => boolean;
    }
  /** `[a, b]`: a list of the first element's type if known, else an instance of `type`. */
  | { readonly is: "list"; readonly type: string }
  /** A literal: an instance of `type`. */
  | { readonly is: "literal"; readonly type: string }
  /** The text of the node is the expression: the name of a module. */
  | { readonly is: "text" }
  /** A function. Calling it yields its result. A `body` that is an expression is not a block. */
  | { readonly is: "function"; readonly returns?: NodePart; readonly body: NodePart }
  /** The current object: `this`, `self`. */
  | { readonly is: "self" }
  /** An instance of the first supertype: `super`, `base`. */
  | { readonly is: "base" };

/** A value whose type, after a step, is expected somewhere: `{0/2}` for the first of two arguments of a function. */
export interface ExpectedValue {
  readonly node: number;
  readonly step: string;
}
type ExpectationFinder = (node: number, tree: FlatSyntaxTree) => ExpectedValue | undefined;

/** How to turn a type into an expression. Types without a rule are unknown. */
export type TypeRule =
  /** `a.b.Name`: the qualified name. */
  | { readonly is: "path" }
  /** `Name<A, B>`; see `ReferenceRules.containers`. */
  | { readonly is: "generic"; readonly name: NodePart; readonly arguments: NodePart }
  /** A list of a type: `of[]`, `...of`. `when`: whether it is one; else it is the type itself. */
  | {
      readonly is: "several";
      readonly of: NodePart;
      readonly when?: (node: number, tree: FlatSyntaxTree) => boolean;
    }
  | { readonly is: "through"; readonly of: NodePart }
  /** `A | B`: known if all but one member are empty types such as `null`. */
  | { readonly is: "union" }
  /** All types in the node. */
  | { readonly is: "all" }
  /** `[A, A]`: a list, if all members have one type. */
  | { readonly is: "tuple" }
  /** A type that the language names with a keyword. Those in `except` are unknown. */
  | { readonly is: "builtin"; readonly except?: readonly string[] }
  /** A literal used as a type: an instance of `type`. */
  | { readonly is: "literal"; readonly type: string }
  /** A string that contains the name of a type. */
  | { readonly is: "quoted" }
  /** An empty member of a union: `null`, `void`. */
  | { readonly is: "nothing" }
  /** `typeof x`: the type of the value. `isInstance`: if the value is a name, that is the name of the type. */
  | { readonly is: "value"; readonly of: NodePart; readonly isInstance?: true }
  /** The type of a member: `Foo["bar"]`. */
  | { readonly is: "member"; readonly of: NodePart; readonly name: NodePart }
  /** The current type: `Self`, `this`. */
  | { readonly is: "self" };

/** How a pattern passes the matched value to its parts. Leaves that are names are bound to it. */
export type PatternRule =
  /**
   * All children are patterns. Each is matched with the value after `step`: "", "[]" or "?". `inLoop` gives
   * the steps of the children if the pattern is matched by a loop: `[key, value]` for the entries of a map.
   */
  | {
      readonly is: "each";
      /** "=" and an expression: the value is that expression, independent of the matched value. */
      readonly step: string | ((node: number, tree: FlatSyntaxTree, child: number) => string);
      readonly inLoop?: readonly string[];
      /** The field of a child that is not a pattern: the type before it. */
      readonly except?: string;
    }
  /** One child is the pattern. */
  | { readonly is: "through"; readonly of: NodePart }
  /**
   * `key: value`: `value` is the pattern for the member `key`. Without a value, the key is the pattern too.
   */
  | {
      readonly is: "pair";
      readonly key: NodePart;
      readonly value: NodePart;
      /** True if the key without a value is not a pattern: it only names the member. */
      readonly isMemberOnly?: true;
    }
  /** A leaf that is both the member's name and the local's: `{ name }`. */
  | { readonly is: "shorthand" };

/** Locals that a node declares. If the outline has a symbol with that name, the local refers to it. */
export interface Declaration {
  /** The names, or a pattern with `PatternRule`s. All children that the part matches are read. */
  readonly names: NodePart;
  /** Whether this declaration applies to the node. */
  readonly when?: (node: number, tree: FlatSyntaxTree) => boolean;
  /** The declared type. */
  readonly type?: NodePart;
  /** Returns the declared type of one of several names. */
  readonly typeOf?: NodePartFinder;
  /** The initial value. */
  readonly value?: NodePart;
  /** The step from the value to the value that the pattern matches: "[]" in loops. */
  readonly step?: "[]";
  /**
   * Returns the parts of a pattern, a value or a type that is a list written out in full, -1 for one that is left out. A part
   * of the pattern then has the part of the value, or of the type, at its place: `const [a, b] = [x, y]`.
   */
  readonly listed?: (list: number, tree: FlatSyntaxTree) => readonly number[] | undefined;
  /** True if names and values are parallel lists. A single value belongs to the first name. */
  readonly isParallel?: true;
  /**
   * The scope of the names: the one that contains the node (default), the one that the node opens ("own"), or
   * the enclosing function.
   */
  readonly in?:
    | "own"
    | "function"
    | ((node: number, tree: FlatSyntaxTree) => "function" | undefined);
  /** True if the names are visible from the node on, not only after it. */
  readonly isRecursive?: true;
  /** True for parameters. Their types may come from the call that the function is passed to. */
  readonly isParameter?: true;
  /** Whether the name also declares a field of the enclosing type: `constructor(private x: X)`. */
  readonly isField?: (node: number, tree: FlatSyntaxTree) => boolean;
}

/** Roles of names, by the field or index of the part of a node; see `NodeRule.roles`. */
export type Roles = Readonly<Record<string, UseRole | "none">>;

/** The type of `self`; see `NodeRule.self`. */
export type SelfRule = "own" | "none" | { readonly type: NodePart } | { readonly value: NodePart };

/** How the nodes of one type use names. */
export interface NodeRule {
  /** Opens a scope. A declaration in "function" is added to the nearest function scope. */
  readonly scope?: ScopeKind | ((node: number, tree: FlatSyntaxTree) => ScopeKind | undefined);
  /**
   * The type of `self` in the scope: the symbol that the node defines ("own", default for type scopes),
   * unknown ("none"), the type in a part of the node, as in `impl Foo`, or the symbol that a part defines. Other scopes
   * inherit it.
   */
  readonly self?: SelfRule | ((node: number, tree: FlatSyntaxTree) => SelfRule | undefined);
  /** Returns the fields that a type has from one of a library. */
  readonly inheritedFields?: (node: number, tree: FlatSyntaxTree) => readonly InheritedField[];
  readonly declares?: readonly Declaration[];
  readonly value?: ValueRule;
  readonly type?: TypeRule;
  readonly pattern?: PatternRule;
  /**
   * The role of the name that a part of the node evaluates to; "0" is the first part, "*" all parts. Other
   * names inside the part are not affected: in `extends a.Base<Foo>` only `Base` is. "none": not a use.
   */
  readonly roles?: Roles | ((node: number, tree: FlatSyntaxTree) => Roles | undefined);
  /** True if all names in it are type names; the name of a field if only those in that child are. */
  readonly isType?: true | string;
  /** True if the name that it defines is not a name of the scope: a key of an object. */
  readonly isKey?: true;
  /** True for nodes before the definition that they belong to: decorators, attributes. */
  readonly leads?: true;
  /** The type of the symbol that the node defines: its declared type, else the type of its value. */
  readonly holds?:
    | {
        readonly type?: NodePart;
        readonly value?: NodePart;
        /** Returns the type that a comment before the node declares, as an expression; "" if none. */
        readonly comment?: (node: number, tree: FlatSyntaxTree) => string;
      }
    | "self";
  /** Assigns fields of the enclosing type: `self.x = y` in a language that does not declare fields. */
  readonly sets?: { readonly member: NodePart; readonly type?: NodePart; readonly value: NodePart };
  /** Reads an import. Returns true if the rest of the node can be skipped. */
  readonly imports?: (node: number, reader: ImportReader) => boolean;
  /**
   * It calls a constructor of the enclosing type ("own") or of the first supertype ("base"), without its name, or the block
   * that the function was called with, or passes that block on. "outer": the enclosing type inherits from the type around it.
   */
  readonly constructs?: (
    node: number,
    tree: FlatSyntaxTree,
  ) => "own" | "base" | "block" | "passed block" | "outer" | CalledOperator | undefined;
  /** Returns the names in a part of the node that the grammar leaves as text. */
  readonly text?: (node: number, tree: FlatSyntaxTree) => readonly TextName[];
  /** True if nothing in it is a use. */
  readonly isIgnored?: true;
  /** Returns the name that a use refers to, for the node or its children: `FlagsAttribute` for `[Flags]`. */
  readonly means?: (name: string, leaf: number, tree: FlatSyntaxTree) => string;
  /** Returns whether a name can be a use as a child of the node. */
  readonly accepts?: (name: string, leaf: number, tree: FlatSyntaxTree) => boolean;
}

/** A generic type that is represented by one of its arguments. */
export interface Container {
  /** Index of the argument, counted from the end if negative. */
  readonly argument: number;
  /** True if it holds several elements. */
  readonly isCollection: boolean;
}

/** A field that a type has from another one. `type`: the node of its type. */
export interface InheritedField {
  readonly name: string;
  readonly type: number;
}

/**
 * The result of a call: an instance of the type in an argument, the argument's value, a list or an element of it, a list of its
 * elements, what the function returns that is the argument, or a list of that, or the value of a variable of the file.
 * `isTyped`: a type argument shows the type of the value. `returns: "type"`: without one, nothing is known.
 * `from`: the module that the function must be imported from.
 */
export interface CallResult {
  readonly argument: number;
  readonly returns:
    | "instance"
    | "value"
    | "several"
    | "element"
    | "elements"
    | "result"
    | "results"
    | "type"
    | { readonly variable: string };
  readonly isTyped?: true;
  readonly from?: string;
}

/** Reads types from the comments before nodes, as expressions of instances; "" if there is none. */
export interface DocumentedTypes {
  readonly ofParameter: (callable: number, parameter: number, tree: FlatSyntaxTree) => string;
  readonly ofResult: (callable: number, tree: FlatSyntaxTree) => string;
  readonly ofValue: (node: number, tree: FlatSyntaxTree) => string;
}

/** Distinguishes definitions of one name that are not overloads. */
export interface DistinctionRules {
  /** Returns the mark of a definition for `FileReferences.signatures`; "" for most. `leaf`: its name, or -1. */
  readonly ofDefinition: (node: number, tree: FlatSyntaxTree, leaf: number) => string;
  /** The same for a definition without a node of its own, from its signature. */
  readonly ofSignature?: (signature: string) => string;
  /** Returns the mark of the definition that a name refers to, for `Use.arguments`; undefined for most. */
  readonly ofUse?: (leaf: number, tree: FlatSyntaxTree) => string | undefined;
}

/** A function that is an argument: the called expression, and the index of the parameter, or a member of that. */
export interface PassedFunction {
  readonly callee: number;
  readonly parameter: number;
  readonly member?: string;
}

/** How calls pass values to parameters. */
export interface PassingRules {
  /** Returns the list of arguments of the call whose function a leaf names; -1 for other leaves. */
  readonly argumentsOf: (leaf: number, tree: FlatSyntaxTree) => number;
  /** The list of parameters of a function. */
  readonly parameters: NodePart;
  /** Returns the name of a parameter or argument that is passed by its name, "" for others; undefined for a list of them. */
  readonly keyOf: (node: number, tree: FlatSyntaxTree) => string | undefined;
  /** Returns the value that an assignment passes to a setter; -1 for other leaves. */
  readonly setBy: (leaf: number, tree: FlatSyntaxTree) => number;
  /** Returns the value that is added to the collection in the variable of a leaf; -1 if there is none. */
  readonly addedTo: (leaf: number, tree: FlatSyntaxTree) => number;
}

/** An operator that a class may define, and its first operand. */
export interface CalledOperator {
  readonly name: string;
  readonly object: number;
  readonly passed: number;
}

/** The reference rules of a language. */
export interface ReferenceRules {
  /** Which leaves are names, by node type. */
  readonly names: Readonly<Record<string, NameKind>>;
  /** Rules by node type. */
  readonly nodes: Readonly<Record<string, NodeRule>>;
  /**
   * Returns the leaf with the name that a node defines; -1 if it defines nothing. By default every node of a type that the
   * outline makes definitions of defines something.
   */
  readonly definedName?: NodePartFinder;
  /** Generic types by name. */
  readonly containers?: Readonly<Record<string, Container>>;
  /** Generic types of a function: the type of its result, and the list of those of its parameters. */
  readonly signatureTypes?: { readonly result: string; readonly parameters: string };
  /** Returns the result of a call that its callee shows, as an expression; undefined for other calls. */
  readonly resultOfCallee?: (callee: number, tree: FlatSyntaxTree) => string | undefined;
  /** Returns the function that a call gets and returns in some form, of a name that counts as a function; -1 for other values. */
  readonly wrappedFunction?: (value: number, tree: FlatSyntaxTree) => number;
  /** Returns whether a function returns an object whose keys are symbols: it is an object with the members of the function. */
  readonly returnsObject?: (callable: number, tree: FlatSyntaxTree) => boolean;
  /** Nodes that return a value from a function: `return`. The value is their first child. */
  readonly returns?: readonly string[];
  /**
   * Node types of statement blocks. A function with such a body returns the values of its return statements.
   */
  readonly blocks?: readonly string[];
  /**
   * By method name: the steps from the receiver to each parameter of a function that is passed to the method:
   * `map: ["[]"]`.
   */
  readonly callbacks?: Readonly<Record<string, readonly string[]>>;
  /** The same for functions with two parameters: `forEach: ["?", "[]"]` of a map. */
  readonly pairCallbacks?: Readonly<Record<string, readonly string[]>>;
  /**
   * Members of collections, by name: "same" returns a collection of the same elements, "element" returns one
   * of them, and "value" is one of them.
   */
  readonly collectionMembers?: Readonly<Record<string, "same" | "element" | "value">>;
  /**
   * Where members of a type can be used without a receiver: nowhere ("none", default), in statements of the
   * type's body but not in its functions ("body"), or everywhere in it ("all").
   */
  readonly members?: "none" | "body" | "all";
  /** True if a value never shadows a type of the same name: `struct node *node`. */
  readonly areTypesApart?: boolean;
  /** Node types of types that are not values: another definition of the name may be one. */
  readonly typesOnly?: readonly string[];
  /** Node types of the types of functions, with the part that is the type of the result. */
  readonly functionTypes?: Readonly<Record<string, NodePart>>;
  /** Node types whose names are type parameters, where other names are leaves of the same type. */
  readonly typeParameters?: readonly string[];
  /** Node types of values that are no types: a class may have the name of the object. */
  readonly valuesOnly?: readonly string[];
  /** A name before it is never a value: `::`. */
  readonly scopeSeparator?: string;
  /** True if a value never shadows a function of the same name: a field `size` and a method `size()`. */
  readonly areFunctionsApart?: boolean;
  /** True if a local is visible only after its declaration, as in languages that allow redeclaring it. */
  readonly isSequential?: boolean;
  /** Returns the first node from which a symbol is visible, in languages that can declare it again; -1 if it is everywhere. */
  readonly symbolFrom?: (leaf: number, tree: FlatSyntaxTree) => number;
  /** True if the first parameter of a method is `self`. */
  readonly hasSelfParameter?: boolean;
  /** The function whose call returns `super`. */
  readonly baseFunction?: string;
  /** The name that is `super`, in grammars that have no node of its own for it. */
  readonly baseName?: string;
  /** Call results by the callee as written: `make` in Go, `Box::new` in Rust. */
  readonly calls?: Readonly<Record<string, CallResult>>;
  /** Matches names that patterns declare. Other names in patterns are constants. */
  readonly patternNames?: RegExp;
  /** Matches names of types. Other names in types are type variables, which are no uses. */
  readonly typeNames?: RegExp;
  /** The name of the enclosing type: `Self`. */
  readonly selfType?: string;
  /** Functions that return the object in whose method they are called without a receiver: `apply`. */
  readonly selfCalls?: readonly string[];
  /** True if `super` is an object of each type that a type inherits from, not only of the first. */
  readonly hasSeveralBases?: boolean;
  /**
   * Returns the object whose members are visible in a function literal without a receiver: `x` of `x.apply { … }`; -1 if there
   * is none, undefined for other functions.
   */
  readonly receiverIn?: (literal: number, tree: FlatSyntaxTree) => number | undefined;
  /**
   * The member of a reference that is the value in it: `count.value`. `split`: functions that return an object whose members are
   * references to those of their argument.
   */
  readonly heldValue?: { readonly member: string; readonly split: readonly string[] };
  /** True if a variable of a file may be a member of its component. */
  readonly hasMemberVariables?: boolean;
  /** The name of a parameter whose members are visible without it. */
  readonly openParameter?: string;
  /** What fields have before the names of their accessors: `@`. */
  readonly fieldPrefix?: string;
  /** Methods of a type that return an instance of it: `Foo.new`. */
  readonly constructs?: readonly string[];
  /** Leaves that are calls if they are bare names and not locals. */
  readonly calledNames?: readonly string[];
  /** The list of arguments of a call of a bare name that may be a macro. */
  readonly macroArguments?: NodePart;
  /** The generic type that is one of its arguments: `Union` of `Union[A, B]`. */
  readonly unionType?: string;
  /** True if a value may have the types of all its alternatives. */
  readonly hasUnions?: boolean;
  /** What calls pass to parameters, whose types the language does not declare. */
  readonly passing?: PassingRules;
  /** Bare names that are never uses. */
  readonly ignored?: readonly string[];
  /** What distinguishes overloads; absent if the language has none. */
  readonly overloads?: OverloadRules;
  /** Further properties that distinguish definitions of one name. */
  readonly distinctions?: DistinctionRules;
  /** Types of functions and objects without a name. */
  readonly shapes?: ShapeRules;
  /** Returns the call that a function is passed to, if the marks of definitions show what they pass to their parameters. */
  readonly passedFunction?: (callable: number, tree: FlatSyntaxTree) => PassedFunction | undefined;
  /** Returns the type that a function without a name is declared to have: the result of as many calls of a value of `type`. */
  readonly expectedFunction?: (
    callable: number,
    tree: FlatSyntaxTree,
  ) => { readonly type: number; readonly calls: number } | undefined;
  /** Returns what a library passes to a parameter of a function: the node or the name of its type; undefined if it is unknown. */
  readonly passedByLibrary?: (
    callable: number,
    parameter: number,
    tree: FlatSyntaxTree,
  ) => { readonly node: number } | { readonly name: string } | undefined;
  /** Returns the function that an expression with a placeholder stands for, as `_.name` of Scala, and the parameter that a placeholder is. */
  readonly placeholder?: (
    node: number,
    tree: FlatSyntaxTree,
  ) => { readonly callable: number; readonly parameter: number } | undefined;
  /** True if a function that is passed may have a receiver, whose members are visible in it: what its type returns in marks. */
  readonly hasReceiversInCallbacks?: true;
  /** Returns the type that the conditions around a name give to its variable; undefined if there are none. */
  readonly narrowedType?: (leaf: number, tree: FlatSyntaxTree) => NarrowedType | undefined;
  /** Returns what the conditions around a value say about it, in languages in which a value may have one of several types. */
  readonly conditionsOn?: ReadConditions;
  /** Returns the type of the elements that a call selects by their type, and whether it returns one of them; undefined for others. */
  readonly selectedType?: (
    call: number,
    tree: FlatSyntaxTree,
  ) => { readonly type: number; readonly isOne: boolean } | undefined;
  /** Returns the node of the value of a call that returns what the block does that is passed to it; -1 for others. */
  readonly blockResult?: (call: number, tree: FlatSyntaxTree) => number;
  /** Where the file declares its package: the first node of one of the types, and the part with the name. Or returns the name. */
  readonly package?:
    | { readonly node: string | readonly string[]; readonly name: NodePart }
    | ((tree: FlatSyntaxTree) => string);
  /** Types that comments declare. */
  readonly documented?: DocumentedTypes;
  /** Keywords without named nodes in the grammar that count as leaves: `this`. */
  readonly keywords?: readonly string[];
  /** How to change trees before the rules are applied, and the node types that only changed trees have. */
  readonly arrangement?: Arrangement;
}
