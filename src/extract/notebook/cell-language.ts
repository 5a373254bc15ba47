import { recordIn, textIn, type JsonRecord } from "./json-values.ts";

/** Languages as kernels and cell magics write them, by the name in the table of languages. */
const NAMES: Readonly<Record<string, string>> = {
  python: "python python2 python3 ipython ipython2 ipython3 pypy cython sage sagemath pyspark",
  r: "r ir",
  julia: "julia",
  javascript: "javascript js node ijavascript",
  typescript: "typescript ts deno tslab",
  bash: "bash sh shell shellscript zsh",
  sql: "sql bigquery postgresql sqlite mysql",
  html: "html",
  css: "css",
  markdown: "markdown",
  tex: "latex",
  java: "java",
  kotlin: "kotlin",
  scala: "scala almond spylon",
  groovy: "groovy",
  cpp: "c++ cpp c++11 c++14 c++17 c++20 xcpp11 xcpp14 xcpp17",
  c: "c",
  csharp: "csharp c# .net-csharp",
  fsharp: "fsharp f# .net-fsharp",
  powershell: "powershell pwsh .net-powershell",
  go: "go gophernotes gonb",
  rust: "rust",
  ruby: "ruby",
  perl: "perl",
  php: "php",
  lua: "lua",
  haskell: "haskell ihaskell",
  ocaml: "ocaml",
  elixir: "elixir",
  erlang: "erlang",
  clojure: "clojure",
  swift: "swift",
  dart: "dart",
  fortran: "fortran",
};

const LANGUAGE_OF_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([language, names]) =>
    names.split(" ").map((name) => [name, language] as const),
  ),
);

/** Cell magics after which the cell is still code of the kernel. */
const TRANSPARENT_MAGICS = new Set(
  "time timeit capture prun memit mprun lprun px autopx local spark cache cached test pytest ipytest run_pytest debug".split(
    " ",
  ),
);

/** Returns the language of the code cells of a notebook, by its metadata; "" if it is unknown. */
export function languageOfNotebook(metadata: JsonRecord): string {
  const kernel = recordIn(metadata, "kernelspec");
  const names = [
    textIn(recordIn(metadata, "language_info"), "name"),
    textIn(kernel, "language"),
    textIn(kernel, "name"),
  ];
  // Before format 4, and in the first releases of it, notebooks had code of one language.
  if (names.every((name) => name === "")) return "python";
  return names.map(languageNamed).find((language) => language !== "") ?? "";
}

/** Returns the language of a code cell: its own, that of its magic (`%%bash`), or else that of the notebook. */
export function languageOfCell(cell: JsonRecord, source: string, ofNotebook: string): string {
  const magic = /^\s*%%([\w.+#!-]+)/u.exec(source)?.[1]?.toLowerCase();
  if (magic !== undefined && !TRANSPARENT_MAGICS.has(magic)) return languageNamed(magic);
  const metadata = recordIn(cell, "metadata");
  const own =
    textIn(recordIn(metadata, "vscode"), "languageId") ||
    textIn(recordIn(metadata, "polyglot_notebook"), "kernelName") ||
    textIn(recordIn(metadata, "dotnet_interactive"), "language") ||
    textIn(cell, "language");
  return own === "" ? ofNotebook : languageNamed(own);
}

function languageNamed(name: string): string {
  const lower = name.slice(0, 40).toLowerCase();
  // A kernel can have a version in its name: "julia-1.10".
  return LANGUAGE_OF_NAME.get(lower) ?? LANGUAGE_OF_NAME.get(lower.replace(/[-_.\d]+$/u, "")) ?? "";
}
