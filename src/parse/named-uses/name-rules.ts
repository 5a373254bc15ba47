// What a language's names look like in its tokens: see `code-names.ts`.

import type { TokenSyntax } from "./code-tokens.ts";

/** Where a language uses, declares and joins names. */
export interface CodeNameRules {
  readonly syntax: TokenSyntax;
  /** Words of the language, and usual names of its library that projects do not define again. */
  readonly keywords: ReadonlySet<string>;
  /** Marks between the parts of a path. */
  readonly joins: ReadonlySet<string>;
  /**
   * Which names are uses where nothing is called: all that are not local, those of types and of definitions of the file, or only
   * the latter.
   */
  readonly values: "all" | "types" | "own";
  /** True if a call needs no brackets. */
  readonly isAppliedWithoutBrackets?: true;
  /** True if white space may be before the brackets of a call. */
  readonly mayHaveSpaceBeforeBrackets?: true;
  /** True if a path may begin with a lower-case name: a module. */
  readonly hasLowerCaseModules?: true;
  /** True if upper-case names are variables. */
  readonly hasUpperCaseVariables?: true;
  /** Marks after a name that is declared or assigned. */
  readonly assigns?: ReadonlySet<string>;
  /** Words and marks after which names are declared, up to one of `declaresUntil` or, if that is absent, the next name. */
  readonly declares?: ReadonlySet<string>;
  readonly declaresUntil?: ReadonlySet<string>;
  /** True if a declaration is a type and a name: `Foo one`. */
  readonly hasTypesBeforeNames?: true;
  /** Marks between parameters of a function literal and its body. */
  readonly arrows?: ReadonlySet<string>;
  /** Marks before the type of a parameter. */
  readonly typeMarks?: ReadonlySet<string>;
  /** Words and marks before the types from which a definition inherits. */
  readonly inherits?: ReadonlySet<string>;
  /** Names of the object whose method the code is in. */
  readonly selves?: ReadonlySet<string>;
  /** True if the case of letters has no meaning. */
  readonly ignoresCase?: true;
  /** The mark between the parts of a path that is one token: `Foo::Bar`. */
  readonly pathMark?: string;
  /**
   * Words and marks before a command, which is called; the beginning of a line is too. Types may then be in square brackets before
   * `::`.
   */
  readonly commandStarts?: ReadonlySet<string>;
  /** True if no command begins at the beginning of a line. */
  readonly hasCommandsInside?: true;
  /** True if `Foo one (` and `Foo #` use what is called Foo. */
  readonly hasInstances?: true;
  /** True if names in capitals are variables unless they are called. */
  readonly skipsConstants?: true;
  /** True if methods are functions of a file: what is called on an unknown object may be any. */
  readonly hasMembersOutside?: true;
  /** True if a name in upper case is one of a module only before a join, after such a name or after `open`: else a constructor. */
  readonly hasConstructors?: true;
  /** True if a path of lower-case names may be one of a package, which is known without an import. */
  readonly hasPackages?: true;
  /** True if nothing but calls are uses. */
  readonly hasOnlyCalls?: true;
  /** True if imports name modules that are definitions. */
  readonly importsDefinitions?: true;
  /** True if members of values are fields, not methods. */
  readonly hasNoMethods?: true;
  /** Words that may be names of functions or plain words: they are uses if a mark or the shape of the name shows it. */
  readonly hasAtoms?: true;
  /** Words after a "-" at the beginning of a line, of statements without uses up to a ".". */
  readonly skipsStatementAfter?: ReadonlySet<string>;
  /** True if a member of an object is called even without brackets. */
  readonly callsMembers?: true;
  /** Methods that all objects have. */
  readonly ofAllObjects?: ReadonlySet<string>;
  /** Marks after a name that is a key. */
  readonly keyMarks?: ReadonlySet<string>;
  /** Words before a name that only gives a module another name. */
  readonly renamesAfter?: ReadonlySet<string>;
  /** Marks before a name that is no use: a parameter of a command, a variable. */
  readonly notAfter?: ReadonlySet<string>;
  /** Words of forms of Lisp whose next list or vector declares names. */
  readonly bindingForms?: ReadonlySet<string>;
  /** Marks before a name that is called, as in Lisp. */
  readonly callsAfter?: ReadonlySet<string>;
  /** Words after which the rest of the line has no uses: imports, which are read as such. */
  readonly skipsLineAfter?: ReadonlySet<string>;
}

type AllRules = Required<CodeNameRules>;

/** The rules with those that a language does not have: false, "" or an empty set. */
export type CompleteNameRules = {
  readonly [Key in keyof AllRules]: AllRules[Key] extends true ? boolean : AllRules[Key];
};

const NONE: ReadonlySet<string> = new Set();
const WITHOUT_RULES: Omit<CompleteNameRules, "syntax" | "keywords" | "joins" | "values"> = {
  isAppliedWithoutBrackets: false,
  mayHaveSpaceBeforeBrackets: false,
  hasLowerCaseModules: false,
  hasUpperCaseVariables: false,
  assigns: NONE,
  declares: NONE,
  declaresUntil: NONE,
  hasTypesBeforeNames: false,
  arrows: NONE,
  typeMarks: NONE,
  inherits: NONE,
  selves: NONE,
  ignoresCase: false,
  pathMark: "",
  commandStarts: NONE,
  hasCommandsInside: false,
  hasInstances: false,
  skipsConstants: false,
  hasMembersOutside: false,
  hasConstructors: false,
  hasPackages: false,
  callsMembers: false,
  ofAllObjects: NONE,
  hasOnlyCalls: false,
  importsDefinitions: false,
  hasNoMethods: false,
  hasAtoms: false,
  skipsStatementAfter: NONE,
  keyMarks: NONE,
  renamesAfter: NONE,
  notAfter: NONE,
  bindingForms: NONE,
  callsAfter: NONE,
  skipsLineAfter: NONE,
};

/** Returns the rules with defaults. */
export function completeRules(rules: CodeNameRules): CompleteNameRules {
  return { ...WITHOUT_RULES, ...rules };
}

/** Returns the words of a text. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
