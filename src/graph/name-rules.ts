// The rules of each language that decide what an unqualified name refers to.

import { languageFamily } from "../base/language-families.ts";

interface NameRules {
  /** Members of the enclosing type can be used without a receiver. */
  readonly hasImplicitThis?: true;
  /** Imports name a definition in full: `import a.b.Thing`, `use a::b::Thing`. */
  readonly importsByFullName?: true;
  /**
   * Names that are not private to a file have one meaning in the whole project, because the linker, loader or
   * compiler has one global namespace.
   */
  readonly hasGlobalNames?: true;
  /** Returns whether a name has one meaning in the whole project, in languages in which not all names do. */
  readonly isGlobal?: (name: string) => boolean;
  /** Definitions of one name in a file are one definition in several parts. */
  readonly hasClauses?: true;
  /** Matches the paths of files whose definitions all files see, if there are any. */
  readonly sharedFiles?: RegExp;
  /** The files of a module are not known: its names are those of the project. */
  readonly hasOpenModules?: true;
  /** A name that the project does not define may still hold something of it: code may set it in some other way. */
  readonly hasUndeclaredNames?: true;
  /**
   * The separator of paths that name a module without an import. `hasTypesAtEnd`: such a path ends with a
   * type, as in `a.b.Thing`.
   */
  readonly paths?: { readonly separator: string; readonly hasTypesAtEnd?: true };
  /** Methods of references and of wrappers of one value (such as Option) that return that value. */
  readonly transparentMembers?: ReadonlySet<string>;
  /** Methods that any object has and that return it. */
  readonly selfMembers?: ReadonlySet<string>;
  /** Returns whether a name belongs to the language unless the file defines or imports it. */
  readonly isPrelude?: (name: string) => boolean;
  /** `a.b.name` may be a name in full, which begins with a namespace or package. */
  readonly hasNamesInFull?: true;
  /** Names that a file imports can be imported from it. */
  readonly passesImportsOn?: true;
  /** A file sees the definitions of its enclosing namespaces and of those that it uses. */
  readonly hasNamespaces?: true;
  /** Any file can reopen a type, and types are visible everywhere. */
  readonly hasOpenTypes?: true;
  /** Members can be defined outside of their types and are imported like functions. */
  readonly hasExtensions?: true;
  /** The name of the method that `object[index]` calls. */
  readonly elementOperator?: string;
  /** Definitions in a namespace are indexed without it: `open` for `net::open`. */
  readonly hasFlatNamespaces?: true;
  /** A type implements every interface all of whose methods it has. */
  readonly hasStructuralTypes?: true;
  /** An import includes the text of a file, and the includes of that file. */
  readonly includesText?: true;
  /** Its imports bind no names: they only include text. */
  readonly bindsNothing?: true;
  /** A type may have members that the parser does not see. */
  readonly hasHiddenMembers?: true;
  /** A field neither overrides another member nor is overridden. */
  readonly hasFixedFields?: true;
  /** A value may be declared to have one of several types: `A | B`. */
  readonly hasUnionTypes?: true;
  /** An import names a symbol in full, wherever it is defined, and all of its members if it is a wildcard. */
  readonly hasModuleSymbols?: true;
  /** A type and a value may have one name. */
  readonly haveTypesOwnNames?: true;
  /** Some of the symbols are headings, which no name refers to. */
  readonly hasHeadings?: true;
}

const JVM: NameRules = {
  hasImplicitThis: true,
  importsByFullName: true,
  paths: { separator: ".", hasTypesAtEnd: true },
};
/** In Objective-C, members have a receiver. */
const OBJC: NameRules = {
  hasGlobalNames: true,
  hasFlatNamespaces: true,
  includesText: true,
  hasHiddenMembers: true,
  elementOperator: "operator[]",
};
const C: NameRules = { ...OBJC, hasImplicitThis: true };
/** Names of the standard library of Lua, and of programs that run scripts. */
const LUA_NAMES = new Set(
  "assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loadstring module next pairs pcall print rawequal rawget rawlen rawset require select setfenv setmetatable tonumber tostring type unpack xpcall coroutine debug io math os package string table utf8 bit bit32 jit vim ngx arg".split(
    " ",
  ),
);
const GLOBAL: NameRules = { hasGlobalNames: true, hasClauses: true };
const NAME_RULES: Readonly<Record<string, NameRules>> = {
  typescript: { hasUnionTypes: true, haveTypesOwnNames: true },
  tsx: { hasUnionTypes: true, haveTypesOwnNames: true },
  python: { passesImportsOn: true, hasUnionTypes: true },
  notebook: { passesImportsOn: true, hasUnionTypes: true, hasHeadings: true },
  // A key of a query means a member of the records in a list too.
  prisma: { hasGlobalNames: true, transparentMembers: new Set() },
  go: { hasStructuralTypes: true },
  java: { ...JVM, hasFixedFields: true },
  kotlin: {
    ...JVM,
    hasExtensions: true,
    selfMembers: new Set(["apply", "also", "takeIf", "takeUnless"]),
  },
  scala: { ...JVM, hasNamesInFull: true },
  groovy: JVM,
  // `isA<Type>().having((one) => one.name, …)` of the package test.
  dart: { hasImplicitThis: true, selfMembers: new Set(["having"]) },
  rust: {
    importsByFullName: true,
    paths: { separator: "::" },
    hasHiddenMembers: true,
    isPrelude: (name) => /^(?:\p{Lu}|std$|core$|alloc$)/u.test(name),
    transparentMembers: new Set(
      "unwrap expect unwrap_or unwrap_or_else unwrap_or_default ok ok_or ok_or_else map_err or or_else clone cloned copied as_ref as_mut as_deref as_deref_mut borrow borrow_mut lock read write get_mut get_ref into_inner deref deref_mut to_owned into by_ref take replace context with_context as_pin_mut as_slice load project project_ref".split(
        " ",
      ),
    ),
  },
  c: { ...C, bindsNothing: true },
  // Of pairs in maps, and of wrappers.
  cpp: { ...C, transparentMembers: new Set(["second", "get", "lock", "value"]) },
  objc: OBJC,
  csharp: {
    hasImplicitThis: true,
    hasNamespaces: true,
    hasHiddenMembers: true,
    importsByFullName: true,
  },
  php: {
    hasGlobalNames: true,
    hasNamesInFull: true,
    importsByFullName: true,
    paths: { separator: "\\" },
  },
  ruby: {
    hasImplicitThis: true,
    hasOpenTypes: true,
    elementOperator: "[]",
    selfMembers: new Set(["clone", "dup", "freeze", "itself", "tap"]),
  },
  lua: {
    hasGlobalNames: true,
    hasUndeclaredNames: true,
    // Fields that functions assign.
    hasHiddenMembers: true,
    isPrelude: (name) => LUA_NAMES.has(name),
  },
  zig: {
    // What neither the file nor an import has does not exist.
    isPrelude: () => true,
    transparentMembers: new Set(["value_ptr", "key_ptr", "value"]),
  },
  swift: { hasImplicitThis: true, hasGlobalNames: true },
  perl: { paths: { separator: "::" }, isGlobal: (name) => name.includes("::") },
  // A name is one of the file or of `load`.
  starlark: { isPrelude: () => true },
  // A name without a module is one of the file or of an import.
  erlang: { paths: { separator: ":" }, isPrelude: () => true },
  clojure: { paths: { separator: "." }, isPrelude: () => true },
  ocaml: { paths: { separator: "." }, isPrelude: () => true },
  fsharp: { paths: { separator: "." }, isPrelude: () => true },
  nix: { isPrelude: () => true },
  julia: { ...GLOBAL, hasOpenModules: true },
  // The files of a package see each other; other scripts are apart.
  r: { ...GLOBAL, sharedFiles: /(?:^|\/)R\/[^/]+$/ },
  solidity: { hasImplicitThis: true },
  powershell: GLOBAL,
  cmake: GLOBAL,
  sql: GLOBAL,
  verilog: GLOBAL,
  vhdl: GLOBAL,
  pascal: GLOBAL,
  shader: GLOBAL,
  vb: { ...GLOBAL, hasImplicitThis: true },
  crystal: { ...GLOBAL, hasImplicitThis: true },
  d: { hasImplicitThis: true },
  fortran: GLOBAL,
  tcl: GLOBAL,
  elisp: GLOBAL,
  lisp: GLOBAL,
  vim: { isGlobal: (name) => /^[A-Z]|#/.test(name) },
  assembly: GLOBAL,
  elixir: {
    hasImplicitThis: true,
    importsByFullName: true,
    hasGlobalNames: true,
    hasModuleSymbols: true,
  },
};

const NO_RULES: NameRules = {};

/** Returns the rules of a language; no rules for an unknown one. */
export function nameRules(language: string): NameRules {
  return NAME_RULES[language] ?? NO_RULES;
}

/** Returns whether an unqualified name may be a member whose type the file does not mention. */
export function hasBareMembers(language: string): boolean {
  const { hasExtensions = false, hasOpenTypes = false } = nameRules(language);
  return hasExtensions || hasOpenTypes;
}

/** Returns whether code of one language can use definitions of another. */
export function canUse(user: string, definer: string): boolean {
  const family = languageFamily(user);
  // The client of Prisma is generated from its schema.
  return family === languageFamily(definer) || (definer === "prisma" && family === "javascript");
}

/** Returns whether an unqualified name has one meaning in the whole project. */
export function isGlobalName(language: string, name: string): boolean {
  const { hasGlobalNames = false, isGlobal } = nameRules(language);
  return hasGlobalNames || isGlobal?.(name) === true;
}
