/** The languages that svc knows, each with other names that pages use. */
const NAMES = [
  "bash sh shell zsh console shell-session",
  "c",
  "cpp c++ cxx",
  "csharp c# cs",
  "css",
  "dart",
  "elixir ex",
  "go golang",
  "haskell hs",
  "html xhtml",
  "java",
  "javascript js jsx node",
  "json",
  "julia jl",
  "kotlin kt",
  "lua",
  "markdown md",
  "objc objective-c",
  "ocaml ml",
  "php",
  "powershell ps1",
  "python py python3 pycon",
  "r",
  "ruby rb",
  "rust rs",
  "scala",
  "solidity",
  "sql",
  "svelte",
  "swift",
  "terraform hcl tf",
  "toml",
  "tsx",
  "typescript ts",
  "vue",
  "yaml yml",
  "zig",
];
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((line) => {
    const [language = "", ...aliases] = line.split(" ");
    return [language, ...aliases].map((name) => [name, language] as const);
  }),
);
const MAX_CLASS_CHARS = 300;

/** Returns the language that a class of an element names ("language-py", "sourceCode python"); "" if it names none. */
export function codeLanguageOf(className: string): string {
  for (const word of className
    .slice(0, MAX_CLASS_CHARS)
    .toLowerCase()
    .split(/[\s;]+/u)) {
    const name = word.replace(/^(?:language|lang|highlight(?:-source)?|src|brush)[-:]/u, "");
    const language = LANGUAGES.get(name);
    if (language !== undefined) return language;
  }
  return "";
}
