// Open types: types that any file can reopen, as in Ruby.

import { isType, type ScopedFile, type SymbolRef } from "./entity.ts";
import { nameRules } from "./name-rules.ts";

/** Ruby's built-in classes. Such a name refers to the language, even if the project reopens the class. */
const CORE_TYPES = new Set(
  `Array BasicObject Class Comparable Complex Date DateTime Dir Encoding Enumerable Enumerator Errno Exception
   FalseClass Fiber File Float GC Hash IO Integer Kernel Logger Marshal MatchData Math Method Module Mutex NilClass
   NameError NoMethodError Numeric Object ObjectSpace Pathname Proc Process Queue Random Range Rational Regexp
   RuntimeError Set Signal StandardError String StringIO Struct Symbol Thread Time TrueClass URI`.split(
    /\s+/,
  ),
);
const TEST_FOLDER = /(?:^|\/)(?:test|tests|spec)\//;

/** Returns whether the name is a built-in type of the language. */
export function isCore(language: string, name: string): boolean {
  return nameRules(language).hasOpenTypes === true && CORE_TYPES.has(name);
}

/** Returns one symbol per qualified name if the language has open types, else all symbols. */
export function firstOfEachType(symbols: readonly SymbolRef[]): readonly SymbolRef[] {
  const [first] = symbols;
  if (first === undefined || nameRules(first.file.language).hasOpenTypes !== true) return symbols;
  return [...new Map(symbols.map((one) => [one.facts.qualifiedName, one])).values()];
}

/**
 * Returns the definitions that a file sees. Definitions in test folders are only visible in their own part of
 * the project.
 */
export function visibleFrom(file: ScopedFile, refs: readonly SymbolRef[]): readonly SymbolRef[] {
  const own = partOf(file);
  return refs.filter((ref) => !TEST_FOLDER.test(ref.file.path) || partOf(ref.file) === own);
}

export function isTypeOrConstant(ref: SymbolRef): boolean {
  return isType(ref) || /^\p{Lu}/u.test(ref.facts.name);
}

/** Returns the folder that contains a library's sources and tests. */
function partOf({ path }: ScopedFile): string {
  const folders = path.split("/");
  const end = folders.findIndex((folder) => /^(?:lib|app|test|tests|spec)$/.test(folder));
  return end === -1 ? "" : folders.slice(0, end).join("/");
}
