import { expect, test } from "vitest";

import { signatureIn } from "../../src/search/signature.ts";

/** Returns the lines of the signature, 0-based. */
function signatureLines(text: string, symbol: string): string {
  const found = signatureIn(text.split("\n"), symbol);
  return found === undefined ? "none" : `${found.first}-${found.last}`;
}

test.each<[string, string, string, string]>([
  ["the first line", "function serve() {\n  a();\n}", "serve", "0-0"],
  ["after a comment", "/**\n * serve it\n */\nexport function serve() {", "serve", "3-3"],
  ["after line comments", "// serve\n// all\n\nfunc (s *Server) Serve() {", "Server.Serve", "3-3"],
  ["after attributes", "#[derive(Debug)]\n#[serve]\npub struct serve {", "serve", "2-2"],
  ["after a decorator", '@app.route("/serve")\ndef serve():\n    pass', "serve", "1-1"],
  ["on the line of an annotation", "@Override public void serve() {", "A.serve", "0-0"],
  ["after documentation in quotes", '@doc """\nserve it\n"""\ndef serve(a) do', "M.serve", "3-3"],
  ["where the result has its own line", "static int\nserve(int a)\n{", "serve", "1-1"],
  ["on several lines", "def serve(\n    a,\n    b,\n):\n    pass", "serve", "0-3"],
  ["cut where it is long", `def serve(\n${"    a,\n".repeat(9)}):\n    pass`, "serve", "0-0"],
  ["of a piece of a definition", "  a();\n  b();\n  c();\n  serve();", "serve", "none"],
  ["of nothing", "import a;\nimport b;", "", "none"],
  ["of a sign", "impl Serialize for () {", "()", "none"],
])("the signature is found %s", (_where, text, symbol, expected) => {
  expect(signatureLines(text, symbol)).toBe(expected);
});
