// The reason why svc lacks a definition of another program: by its kind, its container, or svc's definition there.
import { isValueKind } from "../../src/base/definition-kinds.ts";
import type { SvcSymbol } from "./match.ts";
import type { Tag } from "./tag.ts";

/** By language and the kind of ctags; "*" for all languages. */
const BY_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "*": {
    package: "package clause",
    packageName: "import",
    import: "import",
    header: "import",
    library: "import",
  },
  python: { unknown: "import", namespace: "import", module: "import" },
  rust: { implementation: "implementation block" },
  php: { alias: "import" },
  csharp: { typedef: "import" },
};
const NO_NAME = /^__anon|^anonymous|^AnonymousFunction|^null$|^_$|^<.*>$|^Companion$/i;

const UNEXPLAINED = "unexplained";

/** Reasons that count as missed definitions; all others mean that svc does not regard it as a definition. */
export const MISSED: ReadonlySet<string> = new Set([
  UNEXPLAINED,
  "not in the grammar",
  "inside an anonymous class",
]);

interface FileFacts {
  readonly language: string;
  readonly lines: readonly string[];
  readonly ours: readonly SvcSymbol[];
  /** svc's definitions that the other program does not find. */
  readonly onlyOurs: readonly SvcSymbol[];
  /** See `SyntaxTrees.surroundings`. */
  readonly surrounding: string | undefined;
}

/** One of the classes that docs/symbols.md explains; `UNEXPLAINED` for a case to examine. */
export function reasonOf({ kind, name, line }: Tag, file: FileFacts): string {
  const known = BY_KIND[file.language]?.[kind] ?? BY_KIND["*"]?.[kind];
  if (known !== undefined) return known;
  if (NO_NAME.test(name)) return "no name";
  if (isGuard(name, line, file.lines)) return "include guard";
  if (isNamingMacro(name, line, file.onlyOurs)) return "macro that defines a function";
  if (file.surrounding !== undefined) return file.surrounding;
  return file.onlyOurs.some(({ nameLine }) => Math.abs(nameLine - line) <= 1)
    ? "another name"
    : UNEXPLAINED;
}

/** `TEST(Suite, name) {…}`: the other program uses the name of the macro, svc that of the test. */
function isNamingMacro(name: string, line: number, onlyOurs: readonly SvcSymbol[]): boolean {
  return (
    /^[A-Z][A-Z0-9_]+$/.test(name) &&
    onlyOurs.some(
      ({ kind, nameLine }) => !isValueKind(kind) && nameLine - line < 3 && nameLine >= line,
    )
  );
}

/** `#define NAME_H` under `#ifndef NAME_H`. */
function isGuard(name: string, line: number, lines: readonly string[]): boolean {
  const before = lines.slice(Math.max(0, line - 4), line - 1).join("\n");
  return (
    /^\s*#\s*define\b/.test(lines[line - 1] ?? "") &&
    new RegExp(`#\\s*if(?:ndef\\s+|\\s+!\\s*defined\\W+)${name}\\b`).test(before)
  );
}
