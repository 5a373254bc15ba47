import type { GoldenTree } from "../question.ts";

/** C++ headers, and grammars with scanners in C, rules in JavaScript and queries in Scheme, which are very similar. */
export const NATIVE: GoldenTree = {
  name: "native",
  parts: [
    "node-addon-api",
    "tree-sitter-elixir",
    "tree-sitter-haskell",
    "tree-sitter-javascript",
    "tree-sitter-php",
    "tree-sitter-python",
    "tree-sitter-ruby",
    "tree-sitter-rust",
  ],
  without: /^\/(?:node_modules|prebuilds)$|\/parser\.c$|\/(?:grammar|node-types)\.json$|\.wasm$/,
  questions: [
    {
      ask: "where are the indentation tokens of python made",
      right: [
        { path: "tree-sitter-python/src/scanner.c", line: "int32_t first_comment_indent_length" },
        { path: "tree-sitter-python/src/scanner.c", line: "lexer->result_symbol = INDENT;" },
      ],
    },
    {
      ask: "count the hashes of a rust raw string",
      right: [
        { path: "tree-sitter-rust/src/scanner.c", line: "bool scan_raw_string_start(" },
        { path: "tree-sitter-rust/src/scanner.c", line: "bool scan_raw_string_content(" },
      ],
    },
    {
      ask: "automatic semicolon insertion",
      right: [
        {
          path: "tree-sitter-javascript/src/scanner.c",
          line: "static bool scan_automatic_semicolon(",
        },
        { path: "tree-sitter-javascript/src/scanner.c", line: "// Insert a semicolon before `--`" },
      ],
    },
    {
      ask: "layout contexts depend on indentation",
      right: [{ path: "tree-sitter-haskell/src/scanner.c" }],
    },
    {
      ask: "run work on another thread and call back with its result",
      right: [
        { path: "node-addon-api/napi.h", line: "class AsyncWorker {" },
        { path: "node-addon-api/napi-inl.h", line: "inline void AsyncWorker::OnOK() {" },
        { path: "node-addon-api/napi-inl.h", line: "inline void AsyncWorker::Queue() {" },
      ],
    },
    {
      ask: "AsyncWorker::SetError",
      right: [
        { path: "node-addon-api/napi-inl.h", line: "AsyncWorker::SetError(const std::string" },
      ],
    },
    {
      ask: "scan_heredoc_content",
      right: [{ path: "tree-sitter-ruby/src/scanner.c", line: "bool scan_heredoc_content(" }],
    },
    {
      ask: "tree-sitter-elixir/src/scanner.c newline before do",
      right: [
        { path: "tree-sitter-elixir/src/scanner.c", line: "static bool scan_newline(TSLexer" },
      ],
    },
    {
      ask: "grammar rule of a decorator in python",
      right: [{ path: "tree-sitter-python/grammar.js", line: "decorator: $ => seq(" }],
    },
    {
      ask: "RangeError: Offset is outside the bounds of the DataView",
      right: [{ path: "node-addon-api/napi-inl.h" }],
    },
    {
      ask: "migrate an addon from nan",
      right: [
        { path: "node-addon-api/tools/README.md" },
        { path: "node-addon-api/tools/conversion.js" },
      ],
    },
    { ask: "where is the shopping basket emptied after payment", right: [] },
  ],
};
