// The imports of languages that are read without a grammar.

import type { Binding, Import } from "../references/references.ts";

/** A statement that imports. */
interface ImportPattern {
  /** With the flags "g" and "m". Its group `module` is the module, and `names` are those of it that the file can use. */
  readonly pattern: RegExp;
  /** True if all names of the module can be used. */
  readonly isWildcard?: true;
  /** Matches one of the names. Its groups are `name`, by default the match, and `local`, another name that the file gives to it. */
  readonly names?: RegExp;
  /** True if `module` has several modules. */
  readonly hasSeveral?: true;
  readonly moduleOf?: (module: string) => string;
}

/** Maximum imports of a file. */
const MAX_IMPORTS = 2000;
const MAX_CHARS = 1_000_000;
const WORD = /[\w'!?*+<>=.$@-]+/g;
const dots = (module: string): string => module.replaceAll("\\", "/");

/** `/a/x.bzl` for the label `//a:x.bzl`, `./x.bzl` for `:x.bzl`. */
const pathOfLabel = (label: string): string =>
  label.startsWith("@") ? label : label.replace(/^:/, "./").replace(/^\/\//, "/").replace(":", "/");

const INCLUDES: ImportPattern = {
  pattern:
    /^[ \t]*(?:[#%`.][ \t]*)?(?:include|import|pragma include|includelib)[ \t]*[("'<]+(?<module>[^"'>)\n]+)[">')]/gm,
  isWildcard: true,
};

const PATTERNS: Readonly<Record<string, readonly ImportPattern[]>> = {
  perl: [
    {
      pattern:
        /^[ \t]*use[ \t]+(?:parent|base|Mojo::Base|aliased)[ \t]+(?:-norequire,?[ \t]*)?(?:qw[ \t]*[({[/<])?[ \t'"]*(?<module>[A-Z]\w*(?:::\w+)*)/gm,
      isWildcard: true,
    },
    {
      pattern: /^[ \t]*(?:extends|with)[ \t(]+['"](?<module>[A-Z]\w*(?:::\w+)*)/gm,
      isWildcard: true,
    },
    {
      pattern:
        /^[ \t]*use[ \t]+(?!(?:parent|base|constant|strict|warnings|utf8|feature|lib|vars|overload)\b)(?<module>[A-Z]\w*(?:::\w+)*)[ \t]+(?:[\d.v_]+[ \t]+)?(?<names>(?:qw\b|['"])[^;]{0,4000});/gm,
      names: /(?!qw\b)\b[\w&]+/g,
    },
    {
      pattern:
        /^[ \t]*(?:use|require)[ \t]+(?<module>[A-Z]\w*(?:::\w+)*)[ \t]*(?:[\d.v_]+[ \t]*)?;/gm,
      isWildcard: true,
    },
  ],
  erlang: [
    {
      pattern: /^-import\([ \t]*(?<module>\w+)[ \t]*,[ \t]*\[(?<names>[^\]]*)\]/gm,
      names: /(?<name>[a-z]\w*)\/\d+/g,
    },
    { pattern: /^-include(?:_lib)?\([ \t]*"(?<module>[^"\n]+)"/gm, isWildcard: true },
    { pattern: /^-behaviou?r\([ \t]*(?<module>\w+)/gm },
  ],
  clojure: [
    {
      pattern: /\[(?<module>[a-z][\w.*+!?-]*)[^[\]]{0,80}?:as(?:-alias)?\s+(?<names>[\w.*+!?-]+)/g,
      names: WORD,
    },
    {
      pattern:
        /\[(?<module>[a-z][\w.*+!?-]*)[^[\]]{0,120}?:refer(?:-macros)?\s+[[(](?<names>[^\])]*)[\])]/g,
      names: WORD,
    },
    { pattern: /\[(?<module>[a-z][\w.*+!?-]*)\s+:refer\s+:all/g, isWildcard: true },
    { pattern: /\(:use\s+\[?(?<module>[a-z][\w.*+!?-]*)/g, isWildcard: true },
  ],
  julia: [
    {
      pattern:
        /^[ \t]*(?:using|import)[ \t]+\.*(?<module>\w+(?:\.\w+)*)[ \t]*:(?<names>[^\n#]*(?:,[ \t]*\n[^\n#]*)*)/gm,
      names: /@?[\w!]+/g,
    },
    {
      pattern: /^[ \t]*(?:using|import)[ \t]+\.*(?<module>\w+(?:\.\w+)*(?:,[ \t]*\w+)*)[ \t]*$/gm,
      hasSeveral: true,
    },
    { pattern: /\binclude\([ \t]*"(?<module>[^"\n]+)"/g },
  ],
  ocaml: [
    {
      pattern: /(?:^|[ \t(])(?:open!?|include)[ \t]+(?<module>[A-Z][\w']*(?:\.[A-Z][\w']*)*)/gm,
      isWildcard: true,
    },
    {
      pattern:
        /^[ \t]*(?:let[ \t]+)?module[ \t]+(?<names>[A-Z][\w']*)[ \t]*=[ \t]*(?<module>[A-Z][\w']*(?:\.[A-Z][\w']*)*)[ \t]*(?:$|in\b|\(\*)/gm,
      names: /[\w']+/g,
    },
  ],
  fsharp: [{ pattern: /^[ \t]*open[ \t]+(?:type[ \t]+)?(?<module>[\w.]+)/gm, isWildcard: true }],
  powershell: [
    {
      pattern: /^[ \t]*\.[ \t]+["']?(?<module>(?:\$\w+|[\w.])[^"'\n|;]*\.ps1)\b/gim,
      isWildcard: true,
      moduleOf: dots,
    },
    {
      pattern:
        /^[ \t]*(?:import-module|using[ \t]+module)[ \t]+(?:-\w+[ \t]+)?["']?(?<module>[^"'\n|; \t]+)/gim,
      isWildcard: true,
      moduleOf: dots,
    },
  ],
  groovy: [
    {
      pattern: /^[ \t]*import[ \t]+(?:static[ \t]+)?(?<module>[\w.]+)\.\*/gm,
      isWildcard: true,
    },
  ],
  nim: [
    {
      pattern: /^(?:import|include)[ \t]+(?<module>[\w./,[ \t]+)$/gm,
      isWildcard: true,
      hasSeveral: true,
    },
    {
      pattern: /^from[ \t]+(?<module>[\w./]+)[ \t]+import[ \t]+(?<names>[^\n#]+)/gm,
      names: /\w+/g,
    },
  ],
  crystal: [{ pattern: /^[ \t]*require[ \t]+"(?<module>[^"\n]+)"/gm, isWildcard: true }],
  d: [
    { pattern: /^[ \t]*(?:public[ \t]+)?import[ \t]+(?<module>[\w.]+)[ \t]*;/gm, isWildcard: true },
  ],
  nix: [{ pattern: /(?:\bimport|callPackage|callPackages)[ \t]+(?<module>\.{1,2}\/[\w./-]*)/g }],
  cmake: [
    { pattern: /^[ \t]*include[ \t]*\([ \t]*"?(?<module>[^\s)"]+)/gim, isWildcard: true },
    { pattern: /^[ \t]*add_subdirectory[ \t]*\([ \t]*"?(?<module>[^\s)"$]+)/gim },
  ],
  verilog: [INCLUDES, { pattern: /^[ \t]*import[ \t]+(?<module>\w+)::/gm }],
  shader: [INCLUDES],
  assembly: [INCLUDES],
  starlark: [
    {
      pattern: /^load\(\s*"(?<module>[^"\n]+)"\s*,(?<names>[^)]*)\)/gm,
      names: /(?:(?<local>\w+)[ \t]*=[ \t]*)?"(?<name>\w+)"/g,
      moduleOf: pathOfLabel,
    },
  ],
  solidity: [
    { pattern: /^[ \t]*import[ \t]+"(?<module>[^"\n]+)"[ \t]*;/gm, isWildcard: true },
    {
      pattern: /^[ \t]*import[ \t]*\{(?<names>[^}]*)\}[ \t]*from[ \t]*"(?<module>[^"\n]+)"/gm,
      names: /(?<name>\w+)(?:\s+as\s+(?<local>\w+))?/g,
    },
  ],
  tcl: [{ pattern: /^[ \t]*source[ \t]+(?<module>[\w./-]+\.tcl)\b/gm, isWildcard: true }],
  fortran: [{ pattern: /^[ \t]*use[ \t]+(?<module>\w+)/gim, isWildcard: true }],
  pascal: [
    { pattern: /\buses\s+(?<module>[\w.,\s]{1,4000});/gi, isWildcard: true, hasSeveral: true },
  ],
  elisp: [{ pattern: /\(require[ \t]+'(?<module>[\w/-]+)/g, isWildcard: true }],
  vim: [
    { pattern: /^[ \t]*(?:source|runtime!?)[ \t]+(?<module>[\w./-]+\.vim)\b/gm, isWildcard: true },
  ],
  objc: [INCLUDES],
};

/** Groovy names what it imports in full. */
const JVM_IMPORT =
  /^[ \t]*import[ \t]+(?:static[ \t]+)?(?<module>[\w.]+)\.(?<name>\w+)(?:[ \t]+as[ \t]+(?<local>\w+))?[ \t;]*$/gm;
const JVM_PACKAGE = /^[ \t]*package[ \t]+(?<name>[\w.]+)/m;

/** Returns the imports in a text, sorted by line. */
export function namedImports(text: string, language: string): readonly Import[] {
  const patterns = text.length > MAX_CHARS ? undefined : PATTERNS[language];
  if (patterns === undefined) return [];
  const found = patterns.flatMap((one) =>
    [...text.matchAll(one.pattern)].flatMap((match) => importsOf(match, one)),
  );
  if (language === "groovy") found.push(...importsInFull(text));
  if (found.length === 0) return [];
  const lineAt = lineCounter(text);
  return found
    .toSorted((one, other) => one.offset - other.offset)
    .slice(0, MAX_IMPORTS)
    .map(({ offset, ...one }) => ({ line: lineAt(offset), isReexport: false, ...one }));
}

/** Returns the package that a file declares; "" in languages other than Groovy. */
export function namedPackage(text: string, language: string): string {
  return language === "groovy" ? (JVM_PACKAGE.exec(text)?.groups?.["name"] ?? "") : "";
}

interface FoundImport extends Pick<Import, "module" | "bindings" | "isWildcard"> {
  readonly offset: number;
}

function importsOf(match: RegExpExecArray, one: ImportPattern): readonly FoundImport[] {
  const { module = "", names } = match.groups ?? {};
  const offset = match.index + match[0].search(/\S/);
  const modules = one.hasSeveral === true ? (module.match(/[\w./]+/g) ?? []) : [module];
  const bindings = one.names === undefined ? [] : bindingsIn(names ?? "", one.names, match[0]);
  return modules.map((each) => ({
    module: one.moduleOf?.(each) ?? each,
    bindings,
    // `:all` of Perl is a list of names that the module has.
    isWildcard: one.isWildcard === true || /(?:^|[\s({<['"]):\w/.test(names ?? ""),
    offset,
  }));
}

function bindingsIn(text: string, names: RegExp, statement: string): readonly Binding[] {
  // `:as` of Clojure and `module X =` of OCaml name the module itself.
  const isWhole =
    /:as(?:-alias)?\s|^[ \t]*(?:let[ \t]+)?module\b/.test(statement) &&
    !/:refer(?:-macros)?\s+[[(]/.test(statement);
  return [...text.matchAll(names)].map(({ 0: whole, groups }) => {
    const { name = whole, local = name } = groups ?? {};
    return { name: isWhole ? "*" : name, local };
  });
}

function importsInFull(text: string): readonly FoundImport[] {
  return [...text.matchAll(JVM_IMPORT)].map(({ groups, index }) => {
    const { module = "", name = "", local = name } = groups ?? {};
    return {
      module: `${module}.${name}`,
      bindings: [{ name, local }],
      isWildcard: false,
      offset: index,
    };
  });
}

/** Returns a function from growing offsets to lines. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (offset) => {
    while (next !== -1 && next < offset) {
      line += 1;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}
