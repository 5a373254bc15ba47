// The rules by which a language declares the types of functions and objects without a name, and which type a value is
// expected to have. parse/references/type-shapes.ts and expected-types.ts apply them.
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** A parameter of a function or of the type of one. */
export interface ShapeParameter {
  /** The node of its type; -1 if it has none. */
  readonly type: number;
  readonly isRest: boolean;
}

/** The parameters and the result of a function, a signature or the type of a function. */
export interface FunctionParts {
  readonly parameters: readonly ShapeParameter[];
  /** The node of the type of the result; -1 if it has none. */
  readonly result: number;
}

/** A member of the type of an object. `type`: its type, or a signature. */
export interface ShapeMember {
  readonly name: string;
  readonly type: number;
}

/** Some members of a type: `Pick<Foo, "a" | "b">`. */
export interface Selection {
  readonly of: number;
  /** Undefined if they are unknown. */
  readonly names: readonly string[] | undefined;
  /** Whether the members of these names are left out, not the others. */
  readonly isWithout: boolean;
}

/** Where the expected type of a value comes from. */
export type Expectation =
  /** The node of a type. */
  | { readonly from: "type"; readonly type: number }
  /** The value that it replaces: the left side of an assignment. */
  | { readonly from: "value"; readonly value: number }
  /** What is expected of another value, after a step: the member of an object, an element of a list. */
  | { readonly from: "around"; readonly value: number; readonly step: string }
  /** A parameter of the function that is called with it. */
  | {
      readonly from: "argument";
      readonly callee: number;
      readonly parameter: number;
      readonly isConstruction: boolean;
    }
  /** A type that its place shows, as an expression. */
  | { readonly from: "place"; readonly expression: string }
  /** A field that the class around it has from another one. */
  | { readonly from: "field"; readonly name: string }
  /** The result of the function that returns it. */
  | { readonly from: "result"; readonly callable: number };

/** The types without a name of a language. */
export interface ShapeRules {
  /** Returns the parts of a function, or of a node that is the type of one; undefined for others. */
  readonly functionParts: (node: number, tree: FlatSyntaxTree) => FunctionParts | undefined;
  /** Returns the members of a node that is the type of an object; undefined for others. */
  readonly membersOf: (node: number, tree: FlatSyntaxTree) => readonly ShapeMember[] | undefined;
  /** Returns the types of a node that is all of them; none for others. */
  readonly partsOf: (node: number, tree: FlatSyntaxTree) => readonly number[];
  /** Returns which members of another type a node has; undefined for others. */
  readonly selectionOf: (node: number, tree: FlatSyntaxTree) => Selection | undefined;
  /** Returns the values that a definition may have, if all are literals: as in `TypeCondition`. None for others. */
  readonly literalsOf: (definition: number, tree: FlatSyntaxTree) => readonly string[];
  /** Returns the type that a function tests for, of the node of its result; -1 for others. */
  readonly testedBy: (result: number, tree: FlatSyntaxTree) => number;
  /**
   * Returns the key of the type parameter that a leaf declares, as in `TypeArguments`; "" if it is neither one of the
   * function nor one of a type.
   */
  readonly typeParameterAt: (leaf: number, callable: number, tree: FlatSyntaxTree) => string;
  /** Returns the type of what a class constructs, of a node that is the type of a class; -1 for others. */
  readonly constructedBy: (node: number, tree: FlatSyntaxTree) => number;
  /** Returns the name and the only type argument of a type; undefined for others. */
  readonly genericOf: (
    node: number,
    tree: FlatSyntaxTree,
  ) => { readonly name: number; readonly argument: number } | undefined;
  /** Returns the type inside a node that only wraps one; -1 for others. */
  readonly unwrapped: (node: number, tree: FlatSyntaxTree) => number;
  /**
   * Returns the nodes that say with which arguments a definition is called: one, or several for overloads. None if it is
   * not called.
   */
  readonly callablesOf: (definition: number, tree: FlatSyntaxTree) => readonly number[];
  /** Returns where the expected type of a value comes from; undefined if nothing is expected. */
  readonly expectationOf: (value: number, tree: FlatSyntaxTree) => Expectation | undefined;
  /** Returns the expression after a step from an expected type, if it has its own meaning there; undefined for others. */
  readonly stepOf: (expression: string, step: string) => string | undefined;
  /** The node types of keys. */
  readonly keys: ReadonlySet<string>;
  /** Returns the object whose member a key names; -1 if the leaf, whose type is one of `keys`, is none. */
  readonly objectOfKey: (leaf: number, tree: FlatSyntaxTree) => number;
}
