import { expect, test } from "vitest";

import { separateComments } from "../../../scripts/embeddings/comments.ts";

test.each([
  ["typescript", "/**\n * Adds.\n * Twice.\n */\nadd();", ["\nAdds.\nTwice.\n"], "add();"],
  ["typescript", "/** Adds. */ add();\n// Why.", ["Adds. "], "add();\n// Why."],
  ["go", "// Add adds.\n// Twice.\nfunc Add() {}", ["Add adds.\nTwice."], "func Add() {}"],
  [
    "java",
    "/* License. */\n\n/** Adds. */\n@Inline\nint add();",
    ["License. ", "Adds. "],
    "@Inline\nint add();",
  ],
  [
    "rust",
    "/// Adds.\n#[inline]\n/// Twice.\nfn add() {}",
    ["Adds.", "Twice."],
    "#[inline]\nfn add() {}",
  ],
  [
    "csharp",
    "[Pure]\n/// <summary>Adds.</summary>\nint Add();",
    ["<summary>Adds.</summary>"],
    "[Pure]\nint Add();",
  ],
  ["c", "#define ADD(a) (a)", [], "#define ADD(a) (a)"],
  ["ruby", "# Adds.\n#\n# Twice.\ndef add; end", ["Adds.\n\nTwice."], "def add; end"],
  ["bash", "# Adds.\nadd() { :; }", ["Adds."], "add() { :; }"],
  ["php", "#[Pure]\n# Adds.\nfunction add() {}", ["Adds."], "#[Pure]\nfunction add() {}"],
  ["lua", "--[[ Adds.\nTwice. ]]\nfunction add() end", [" Adds.\nTwice."], "function add() end"],
  ["lua", "--- Adds.\nfunction add() end", ["Adds."], "function add() end"],
  ["haskell", "-- | Adds.\nadd = (+)", ["Adds."], "add = (+)"],
  ["haskell", "{-| Adds. -}\nadd = (+)", [" Adds."], "add = (+)"],
  [
    "elixir",
    '@doc """\nAdds.\n"""\n@spec add\ndef add, do: 1',
    ["\nAdds.\n"],
    "@spec add\ndef add, do: 1",
  ],
  ["sql", "-- Adds.\nCREATE TABLE a;", ["Adds."], "CREATE TABLE a;"],
  ["ocaml", "(** Adds. *)\nlet add = (+)", [" Adds."], "let add = (+)"],
  ["clojure", ";; Adds.\n(defn add [])", ["Adds."], "(defn add [])"],
  ["perl", "=head2 add\n\nAdds.\n\n=cut\n\nsub add {}", [" add\n\nAdds.\n\n"], "sub add {}"],
])("in %s %j the comments go", (language, text, comments, body) => {
  const found = separateComments(text, language);
  expect(found.comments.map((comment) => comment.trim())).toEqual(comments.map((c) => c.trim()));
  expect(found.body).toBe(body);
});

test.each([
  [
    'def add(a):\n    """Adds.\n\n    Twice.\n    """\n    return a',
    "Adds.\n\nTwice.",
    "def add(a):\n    return a",
  ],
  [
    "def add(\n    a: int,\n) -> int:\n    r'''Adds.'''\n    return a",
    "Adds.",
    "def add(\n    a: int,\n) -> int:\n    return a",
  ],
  ['@pure\nclass Add:\n\n    "Adds."\n    a = 1', "Adds.", "@pure\nclass Add:\n\n    a = 1"],
])("the docstring of %j is a comment", (text, comment, body) => {
  const found = separateComments(text, "python");
  expect(found.comments.map((each) => each.trim())).toEqual([comment]);
  expect(found.body).toBe(body);
});

test("a string further down is not a docstring", () => {
  const text = 'def add(a):\n    log(a)\n    """Adds."""';
  expect(separateComments(text, "python")).toEqual({ comments: [], body: text });
});

test("an unclosed comment leaves no code", () => {
  expect(separateComments("/* Adds.\nadd();", "go")).toEqual({
    comments: [" Adds.\nadd();"],
    body: "",
  });
});
