/** Languages that use each other's definitions. Any other language is its own family. */
const FAMILIES: Readonly<Record<string, string>> = {
  typescript: "javascript",
  tsx: "javascript",
  javascript: "javascript",
  vue: "javascript",
  svelte: "javascript",
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  groovy: "jvm",
  c: "c",
  cpp: "c",
  objc: "c",
  starlark: "python",
  elisp: "lisp",
  // Only of notebooks with code in Python, references are indexed.

  notebook: "python",
};

/** The family of a language; the language itself if it has none. */
export function languageFamily(language: string): string {
  return FAMILIES[language] ?? language;
}

/** Languages without a grammar in which svc finds uses. */
export const USES_WITHOUT_GRAMMAR: ReadonlySet<string> = new Set(
  (
    "swift bash makefile protobuf graphql thrift prisma css assembly awk batch clojure cmake crystal d elisp erlang fortran fsharp " +
    "groovy julia lisp nim nix objc ocaml pascal perl powershell shader sql starlark tcl vb verilog vhdl vim"
  ).split(" "),
);
