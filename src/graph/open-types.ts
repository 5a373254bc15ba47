// Types that go on wherever one of the same name is defined, as those of Ruby do.

import { isType, type ScopedFile, type SymbolRef } from "./entity.ts";
import { nameRules } from "./name-rules.ts";

/** Classes that come with the language, whatever a project adds to them. */
const CORE_TYPES = new Set(
  `Array BasicObject Class Comparable Complex Date DateTime Dir Encoding Enumerable Enumerator Errno Exception
   FalseClass Fiber File Float GC Hash IO Integer Kernel Logger Marshal MatchData Math Method Module Mutex NilClass
   NameError NoMethodError Numeric Object ObjectSpace Pathname Proc Process Queue Random Range Rational Regexp
   RuntimeError Set Signal StandardError String StringIO Struct Symbol Thread Time TrueClass URI`.split(
    /\s+/,
  ),
);
const TEST_FOLDER = /(?:^|\/)(?:test|tests|spec)\//;

export function isCore(language: string, name: string): boolean {
  return nameRules(language).hasOpenTypes === true && CORE_TYPES.has(name);
}

/** Of one type each the first. */
export function firstOfEachType(symbols: readonly SymbolRef[]): readonly SymbolRef[] {
  const [first] = symbols;
  if (first === undefined || nameRules(first.file.language).hasOpenTypes !== true) return symbols;
  return [...new Map(symbols.map((one) => [one.facts.qualifiedName, one])).values()];
}

/** Types and constants that a file sees: of what only tests define those of its own part of the project. */
export function visibleFrom(file: ScopedFile, refs: readonly SymbolRef[]): readonly SymbolRef[] {
  const own = partOf(file);
  return refs.filter((ref) => !TEST_FOLDER.test(ref.file.path) || partOf(ref.file) === own);
}

export function isTypeOrConstant(ref: SymbolRef): boolean {
  return isType(ref) || /^\p{Lu}/u.test(ref.facts.name);
}

/** The folder in which a library has its sources and its tests. */
function partOf({ path }: ScopedFile): string {
  const folders = path.split("/");
  const end = folders.findIndex((folder) => /^(?:lib|app|test|tests|spec)$/.test(folder));
  return end === -1 ? "" : folders.slice(0, end).join("/");
}
