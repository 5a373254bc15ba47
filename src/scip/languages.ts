// The names of languages in SCIP.

/** svc's language -> the name in `Language` of scip.proto, where it is not svc's with a capital letter. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["typescript", "TypeScript"],
  ["tsx", "TypeScriptReact"],
  ["javascript", "JavaScript"],
  ["jsx", "JavaScriptReact"],
  ["csharp", "CSharp"],
  ["cpp", "CPP"],
  ["php", "PHP"],
  ["objective-c", "Objective_C"],
  ["shell", "ShellScript"],
  ["bash", "ShellScript"],
  ["sql", "SQL"],
  ["ocaml", "OCaml"],
  ["fsharp", "FSharp"],
  ["notebook", "Python"],
]);

export function scipLanguage(language: string): string {
  return NAMES.get(language) ?? `${language.charAt(0).toUpperCase()}${language.slice(1)}`;
}
