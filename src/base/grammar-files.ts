/** The tree-sitter grammar of each language id, as a path below `node_modules`. */
export const GRAMMAR_FILES: Readonly<Record<string, string>> = {
  typescript: "tree-sitter-typescript/tree-sitter-typescript.wasm",
  tsx: "tree-sitter-typescript/tree-sitter-tsx.wasm",
  javascript: "tree-sitter-javascript/tree-sitter-javascript.wasm",
  python: "tree-sitter-python/tree-sitter-python.wasm",
  go: "tree-sitter-go/tree-sitter-go.wasm",
  java: "tree-sitter-java/tree-sitter-java.wasm",
  rust: "tree-sitter-rust/tree-sitter-rust.wasm",
  c: "tree-sitter-c/tree-sitter-c.wasm",
  cpp: "tree-sitter-cpp/tree-sitter-cpp.wasm",
  csharp: "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm",
  ruby: "tree-sitter-ruby/tree-sitter-ruby.wasm",
  // Not `php_only`, which does not know the HTML around `<?php … ?>`.
  php: "tree-sitter-php/tree-sitter-php.wasm",
  elixir: "tree-sitter-elixir/tree-sitter-elixir.wasm",
  lua: "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
  kotlin: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  haskell: "tree-sitter-haskell/tree-sitter-haskell.wasm",
  zig: "@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm",
};
