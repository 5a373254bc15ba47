// What a file uses of itself and of others, as its text alone tells it. Nothing here is resolved across
// files: that is done when somebody asks, so that a change of one file concerns that file only.

/** What a use does with what it names. Constructing an object is a call. */
export const USE_ROLES = ["value", "call", "type", "inherit", "import"] as const;
export type UseRole = (typeof USE_ROLES)[number];

/**
 * A place in which something that may be defined elsewhere is named. Names of local variables and
 * parameters, and the names at definitions themselves, are none.
 */
export interface Use {
  /** As its definition has it: behind `import { open as start }` a use of `start` is one of `open`. */
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  readonly role: UseRole;
  /** Number, in the file's symbols, of the innermost definition around the use; -1 outside of all. */
  readonly owner: number;
  /**
   * Number of the file's own symbol that is meant, where the scopes of the file settle it; -1 otherwise.
   */
  readonly target: number;
  /** Number, in the file's imports, of the one that binds the bare name; -1 where none does. */
  readonly binding: number;
  /**
   * What the name is looked up in, where it is not the scope of the file:
   *
   *     ""    nothing: a bare name. Something of this file, of an import, of the package, or built in.
   *     "?"   a member of something of which the file does not tell what it is.
   *     else  a member of that expression.
   *
   * An expression begins with what stands for a value or a namespace,
   *
   *     #12     an instance of the file's own type with that number (`this`, `self`)
   *     @Name   an instance of the type that the scope of the file calls `Name` (`a.b.Name` as it is written)
   *     @Name*  several of them: an array, a list, a set, the values of a map
   *     Name    what the scope of the file calls `Name`: a module, a type itself, a function, a constant
   *
   * and goes on with any number of steps:
   *
   *     .name   its member
   *     ()      what calling it gives
   *     []      one of its elements
   *
   * Containers that hold one value or none, and what is awaited, are left out: `Promise<Foo>`, `Option<Foo>`,
   * `Box<Foo>`, `&Foo`, `Foo | undefined` are all `@Foo`.
   */
  readonly receiver: string;
}

/** One name that an import binds. */
export interface Binding {
  /** What the other module calls it; "*" for the module itself, "default" for what it exports as such. */
  readonly name: string;
  /** What this file calls it; "" where it is only passed on, as by `export { open } from`. */
  readonly local: string;
}

export interface Import {
  /** 1-based. */
  readonly line: number;
  /**
   * What is imported, as it is written without quotes: "../base/log.ts", "a.b.c", "..pkg.module",
   * "crate::a::b", "github.com/x/y/z", "sys/types.h", "App\\Models\\User".
   */
  readonly module: string;
  readonly bindings: readonly Binding[];
  /** True when all that the module exports can be used by its bare name: `import *`, `using`, `#include`. */
  readonly isWildcard: boolean;
  /** True when what is bound can be imported from here in turn: `export … from`, `pub use`. */
  readonly isReexport: boolean;
}

export interface FileReferences {
  /** In order of lines. */
  readonly uses: readonly Use[];
  readonly imports: readonly Import[];
  /**
   * What the file says of the types of its symbols, as expressions (see `Use.receiver`), by the number of the
   * symbol: what a function returns, what a field or a constant holds, what a type alias stands for. "" where
   * it says nothing.
   */
  readonly types: readonly string[];
  /** The package that the file says it is of (`package a.b`, `namespace A\\B`); "" where it says none. */
  readonly package: string;
}

export const NO_REFERENCES: FileReferences = { uses: [], imports: [], types: [], package: "" };
