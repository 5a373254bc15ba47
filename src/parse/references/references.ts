// The references in a file, as far as its text determines them. Nothing is resolved across files: that
// happens at query time, so that a changed file only changes its own references.

/** How a use uses the name. Constructing an object is a call. */
export const USE_ROLES = ["value", "call", "type", "inherit", "import"] as const;
export type UseRole = (typeof USE_ROLES)[number];

/**
 * A use of a name that may be defined elsewhere. Names of local variables and parameters, and names in
 * definitions, are not uses.
 */
export interface Use {
  /** The name in its definition: after `import { open as start }`, a use of `start` has the name `open`. */
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  readonly role: UseRole;
  /** Number of the innermost symbol of the file that contains the use; -1 at the top level. */
  readonly owner: number;
  /**
   * Number of the symbol of the file that the name refers to, if the scopes of the file determine it; else
   * -1.
   */
  readonly target: number;
  /** Number of the import that binds the bare name; -1 if there is none. */
  readonly binding: number;
  /**
   * The receiver, in which the name is looked up:
   *
   *     ""    none: a bare name, of this file, an import, the package, or built in
   *
   *     "?"   a member of an unknown receiver
   *
   *     "~"   none, in the body of a macro: who uses the macro uses the name. "~0.state": a member of that member of the
   *           macro's first argument
   *
   *     "%ruby" none, in a template with code of that family, or in a script of a shell; "%ruby." a member; "%javascript.heroes[]" a member of that
   *           expression, which begins at the component of the template
   *
   *     else  a member of that expression
   *
   * An expression begins with a value or a namespace
   *
   *     #12     an instance of the file's own type with that number (`this`, `self`)
   *     @Name   an instance of the type that is called `Name` in the file's scope (`a.b.Name` as written)
   *     @Name*  a collection of them: an array, a list, a set, the values of a map
   *     Name    the meaning of `Name` in the file's scope: a module, a type itself, a function, a constant
   *
   *     'c0'    in types of definitions: the first type parameter of the type around it, 'f0' of the function; 'f0=@Name' with its bound
   *
   * and continues with any number of steps:
   *
   *     .name   the member
   *     ()      the result of a call; (2) with two arguments, in languages with overloads; (,Name) with a class as the second
   *             argument, in TypeScript
   *     <:@A>   in TypeScript: a type or a function with its type arguments. <@A,^@B> with what a call passes: an A, and a function
   *             that returns a B. Unknown ones are empty
   *     *       a collection of it
   *     []      an element
   *     {a/0@b,a} in Swift: the type that a call with the labels `b` and `a` expects for `a`; "/0": for the first parameter of that function
   *     {0}     the type of the first parameter; in Ruby, what calls pass to it, and {name} to a parameter with that name
   *     {&0}    in Ruby, what a method passes to the first parameter of its block
   *     {is}    the type for which a function tests its argument
   *     {@A|@B} that it is of one of the types, as conditions around it say, or {-@A} of none; {%test} what the function tests
   *     {a=x|y} that its member `a` is one of the literals, or {a~x|y} none of them; {.a} that it has the member. Literals that are
   *             no strings begin with "=": `=true`, `=Kind:Open`
   *
   * A ":" at the end means that the name is a key of a literal, and no use if the expected type of the literal has no such
   * member. In Ruby, the name is an operator, and no use if no class defines it. A "|" at the end means that the name is a member if there is one of that name, else a bare name.
   *
   * "/" is before `::name` of C++, which is outside of all types and namespaces.
   *
   * A "^" at the end means that the expression is `super`: methods that override the member are not called.
   *
   * In Ruby, and for unions, ";" is between expressions one of which the value has.
   *
   * In Kotlin and Ruby, after a "!" follows what the conditions around the use say about the type, in case the first expression has no such member.
   *
   * Wrappers of one value, and promises, are omitted: `Promise<Foo>`, `Option<Foo>`, `Box<Foo>`, `&Foo` and
   * `Foo | undefined` are all `@Foo`.
   */
  readonly receiver: string;
  /**
   * The types of the arguments of a call, separated by commas; "" without arguments. Undefined if the name is not
   * called, and in languages without overloads. In C, the arguments of a call that may be of a macro: expressions as in
   * `receiver`, or "?". In Ruby the same, with `name=` before an argument that is passed by name; a use of an instance variable
   * has what is assigned to it, after a "+" what is added to the collection in it, and one of `yield` what is passed to the block. In C#, the number of type arguments, if there are any: `<2>`.
   * In TypeScript, the generic type that another one inherits from: `@Box<:@Foo>`. In C++, "::" for a name before `::`.
   * In Swift, the labels of a call or of a name in full: `_,mode,&` has a block after the brackets.
   *
   *     @Name   an instance of the type, without type arguments: `@List` for a `List<Foo>`
   *     :text   the same for other types: `:Foo[]`, `:a.b.Name`
   *             In C++ also `:Foo*`, `:Foo&&` for what is moved or new, and `:0`
   *     !       null
   *     ^2r     a function literal with two parameters; "r": it must return a value, "v": it returns none
   *     ^       a function that a name refers to. The whole text is "^" if the name itself is referred to: `Foo::bar`
   *     ?       unknown
   *     else    an expression as in `receiver`
   */
  readonly arguments?: string;
}

/** One name that an import binds. */
export interface Binding {
  /** The name in the other module; "*" for the module itself, "default" for its default export. */
  readonly name: string;
  /** The name in this file; "" if it is only re-exported, as by `export { open } from`. */
  readonly local: string;
}

/** An import statement, or one name of it. */
export interface Import {
  /** 1-based. */
  readonly line: number;
  /**
   * The imported module, as written but without quotes: "../base/log.ts", "a.b.c", "..pkg.module",
   * "crate::a::b", "github.com/x/y/z", "sys/types.h", "App\\Models\\User".
   */
  readonly module: string;
  readonly bindings: readonly Binding[];
  /** True if all exports of the module can be used by their bare names: `import *`, `using`, `#include`. */
  readonly isWildcard: boolean;
  /** True if others can import the bound names from this file: `export … from`, `pub use`. */
  readonly isReexport: boolean;
}

/** Returns the import of a style sheet by markup or by the style sheet of a component: scripts see nothing of it. */
export function sheetImport(module: string, line: number): Import {
  return { line, module, bindings: [], isWildcard: false, isReexport: true };
}

/** Returns whether an import is one of those: it passes nothing on. */
export function isSheetImport({ bindings, isWildcard, isReexport }: Import): boolean {
  return isReexport && !isWildcard && bindings.length === 0;
}

/** The references of a file. */
export interface FileReferences {
  /** Sorted by line. */
  readonly uses: readonly Use[];
  readonly imports: readonly Import[];
  /**
   * Types of the file's symbols as expressions (see `Use.receiver`), by symbol number: the result of a
   * function, the type of a field or constant, the target of a type alias. "" if unknown.
   */
  readonly types: readonly string[];
  /**
   * What distinguishes the file's overloads, by symbol number: the types of the parameters in parentheses, then the type
   * of the result or value if `types` does not show it: `(String,int[],Foo=,Object...)List`. Types are written as in
   * the file, without type arguments; "?" is a type parameter, before its bound if it has one, or unknown. "=": it has a default
   * value, "...": it takes any number of arguments. In C++, "$" is a type parameter, `Foo<>` a type with arguments, and `Foo*` and
   * `Foo&&` are a pointer and what may be moved. In TypeScript, the shapes of functions and the literals that a field may be: see base/type-shape.ts. In C#,
   * the number of type parameters of a type: `<2>`. In Ruby, "self" for methods of the class, "=" for accessors that
   * are setters too. In Swift, `~label:type;label:type=` of a function, `<A,B>` of a generic type, "extension" and
   * "associatedtype". Absent in other languages without overloads.
   */
  readonly signatures?: readonly string[];
  /** The package that the file declares (`package a.b`, `namespace A\\B`); "" if none. */
  readonly package: string;
}

/** The references of a file that was parsed without a grammar. */
export const NO_REFERENCES: FileReferences = { uses: [], imports: [], types: [], package: "" };
