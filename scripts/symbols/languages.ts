// The files of each language, the options of universal-ctags for it, and the source of its tags queries.

export interface Counterpart {
  /** Ids under which svc chunks files with these extensions. */
  readonly extensions: Readonly<Record<string, string>>;
  /** The name of the language in universal-ctags. */
  readonly ctags: string;
  /** Packages whose `queries/tags.scm` apply, and the grammar that parses each extension. */
  readonly tags: readonly string[];
}

export const COUNTERPARTS: Readonly<Record<string, Counterpart>> = {
  typescript: {
    extensions: { ts: "typescript", mts: "typescript", cts: "typescript", tsx: "tsx" },
    ctags: "TypeScript",
    tags: ["tree-sitter-javascript", "tree-sitter-typescript"],
  },
  javascript: {
    extensions: { js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "javascript" },
    ctags: "JavaScript",
    tags: ["tree-sitter-javascript"],
  },
  python: {
    extensions: { py: "python", pyi: "python" },
    ctags: "Python",
    tags: ["tree-sitter-python"],
  },
  go: { extensions: { go: "go" }, ctags: "Go", tags: ["tree-sitter-go"] },
  java: { extensions: { java: "java" }, ctags: "Java", tags: ["tree-sitter-java"] },
  rust: { extensions: { rs: "rust" }, ctags: "Rust", tags: ["tree-sitter-rust"] },
  c: { extensions: { c: "c", h: "c" }, ctags: "C", tags: ["tree-sitter-c"] },
  cpp: {
    extensions: { cc: "cpp", cpp: "cpp", cxx: "cpp", hpp: "cpp", hh: "cpp", h: "c" },
    ctags: "C++",
    tags: ["tree-sitter-cpp"],
  },
  csharp: { extensions: { cs: "csharp" }, ctags: "C#", tags: ["tree-sitter-c-sharp"] },
  php: { extensions: { php: "php" }, ctags: "PHP", tags: ["tree-sitter-php"] },
  ruby: { extensions: { rb: "ruby" }, ctags: "Ruby", tags: ["tree-sitter-ruby"] },
  kotlin: { extensions: { kt: "kotlin", kts: "kotlin" }, ctags: "Kotlin", tags: [] },
};
