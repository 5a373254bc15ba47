import { expect, test } from "vitest";

import { symbolComment, symbolLines } from "../../../src/engine/symbols/symbol-lines.ts";

/** `signature | documentation` of the definition that spans the whole text; `name` marks the line of its name. */
function call([language, name, text, , kind = "function"]: Case): string {
  const lines = text.split("\n");
  const named = new RegExp(`^(?!\\s*(?:/|\\*|# |--)).*\\b${name}\\b`);
  const nameLine = lines.findIndex((line) => named.test(line)) + 1;
  const place = { startLine: 1, endLine: lines.length, nameLine };
  const facts = { name, qualifiedName: name, ...place };
  const known = (["function", "method", "class", "type", "constant", "section"] as const).find(
    (one) => one === kind,
  );
  if (known === undefined) throw new Error(`no kind ${kind}`);
  const { signature, docLine } = symbolLines(lines, { ...facts, kind: known }, language);
  return `${signature} | ${docLine}`;
}

/** Language, name, text, expected result, kind. */
type Case = readonly [string, string, string, string, string?];

const CASES: readonly Case[] = [
  // Brackets in strings begin no body.
  [
    "typescript",
    "GLOB",
    'const GLOB = "**/*.{js,ts}";',
    'const GLOB = "**/*.{js,ts}" | ',
    "constant",
  ],
  ["python", "ESCAPE", "ESCAPE = '\\';'", "ESCAPE = '\\';' | ", "constant"],
  [
    "typescript",
    "HAS_STORAGE",
    "const HAS_STORAGE: boolean = (() => {\n  try {\n    return open();\n  } catch {\n    return false;\n  }\n})();",
    "const HAS_STORAGE: boolean = (…) | ",
    "constant",
  ],
  // Members on the line of their type.
  [
    "typescript",
    "path",
    "type FileInfo = { path: string; fullPath: string };",
    "path: string | ",
    "constant",
  ],
  [
    "typescript",
    "fullPath",
    "type FileInfo = { path: string; fullPath: string };",
    "fullPath: string | ",
    "constant",
  ],
  [
    "typescript",
    "close",
    "interface Door { open(by: Key): void; close(): Promise<void> }",
    "close(): Promise<void> | ",
  ],
  ["go", "Name", "type Base struct { Name string; Size int }", "Name string | ", "constant"],
  ["c", "size", "struct base { char *name; int size; };", "int size | ", "constant"],
  [
    "python",
    "echo",
    'def echo(\n    message: object = None,\n    file: t.IO[t.Any] | None = None,\n    nl: bool = True,\n    err: bool = False,\n    color: bool | None = None,\n) -> None:\n    """Print a message."""\n    go()',
    "def echo(message: object = None, file: t.IO[t.Any] | None = None, nl: bool = True, err: bool = False, color: bool | None = None) -> None | Print a message.",
  ],
  ["python", "NAMES", "NAMES = [\n  1,\n  2,\n  3,\n  4,\n  5,\n]", "NAMES = […] | ", "constant"],
  [
    "typescript",
    "open",
    "/** Opens it. */\nexport function open(path: string): void {\n}",
    "export function open(path: string): void | Opens it.",
  ],
  [
    "typescript",
    "open",
    "export function open(\n  path: string,\n): void {\n  go();\n}",
    "export function open(path: string): void | ",
  ],
  [
    "typescript",
    "open",
    "export const open = (a: () => void = go): number => 1;",
    "export const open = (a: () => void = go): number | ",
  ],
  ["typescript", "open", "open(): void { go(); }", "open(): void | "],
  [
    "typescript",
    "open",
    "export function open<\n  TData = unknown,\n  TKey extends Key = Key,\n>(\n  options: Options<\n    TData,\n    TKey\n  >,\n  client?: Client,\n): Result<TData> {\n}",
    "export function open<…>(options: Options<…>, client?: Client): Result<TData> | ",
  ],
  [
    "typescript",
    "Observer",
    "export class Observer<\n  TData = unknown,\n> extends Base<TData> {\n}",
    "export class Observer<…> extends Base<TData> | ",
    "class",
  ],
  [
    "typescript",
    "Session",
    "// Old.\n\n// A session.\n// Two lines.\n@decorate({ a: 1 })\nexport class Session<T> extends Base implements A {\n}",
    "export class Session<T> extends Base implements A | A session.",
    "class",
  ],
  [
    "typescript",
    "LIMIT",
    "/**\n * How much.\n */\nexport const LIMIT = 5;",
    "export const LIMIT = 5 | How much.",
    "constant",
  ],
  [
    "typescript",
    "Options",
    "export type Options = {\n  a: 1;\n};",
    "export type Options | ",
    "type",
  ],
  [
    "python",
    "open_it",
    '@cached\ndef open_it(path: str, n: int = 1) -> dict[str, int]:\n    """Opens it.\n\n    More.\n    """\n    return {}',
    "def open_it(path: str, n: int = 1) -> dict[str, int] | Opens it.",
  ],
  [
    "python",
    "open_it",
    "# A comment.\ndef open_it():\n    '''Opens it.'''",
    "def open_it() | Opens it.",
  ],
  ["python", "open_it", "# A comment.\ndef open_it(): return 1", "def open_it() | A comment."],
  [
    "python",
    "open_it",
    'def open_it():\n    "Opens it."\n    return "x"',
    "def open_it() | Opens it.",
  ],
  ["python", "Session", "class Session(Base):\n    x = 1", "class Session(Base) | ", "class"],
  [
    "rust",
    "open",
    "/// Opens it.\n#[inline]\npub fn open<T>(&self, a: [u8; 4]) -> Result<T> {\n}",
    "pub fn open<T>(&self, a: [u8; 4]) -> Result<T> | Opens it.",
  ],
  [
    "go",
    "Open",
    "// Open opens it.\nfunc (s *Session) Open(a int) error {\n}",
    "func (s *Session) Open(a int) error | Open opens it.",
  ],
  // The name is part of the receiver's type, is the receiver's type, or is in an annotation before.
  [
    "go",
    "Bind",
    "func (headerBinding) Bind(req *http.Request, obj any) error {\n}",
    "func (headerBinding) Bind(req *http.Request, obj any) error | ",
    "method",
  ],
  [
    "go",
    "Engine",
    "func (v *Engine) Engine() any {\n}",
    "func (v *Engine) Engine() any | ",
    "method",
  ],
  ["go", "Len", "func (s Len[T]) Len() int {\n}", "func (s Len[T]) Len() int | ", "method"],
  [
    "java",
    "open",
    '@Named("open") public Open open(Opened opened) {\n}',
    "public Open open(Opened opened) | ",
    "method",
  ],
  [
    "kotlin",
    "read",
    "fun (Reader.(read: Int) -> Unit).read(a: Int): Int {\n}",
    "fun (Reader.(read: Int) -> Unit).read(a: Int): Int | ",
  ],
  [
    "c",
    "send",
    "__attribute__((send)) int send(struct sender *sender, int send_all)\n{\n}",
    "__attribute__((send)) int send(struct sender *sender, int send_all) | ",
  ],
  [
    "cpp",
    "Buffer",
    "RingBuffer::Buffer(Buffer other) noexcept {\n}",
    "RingBuffer::Buffer(Buffer other) noexcept | ",
    "method",
  ],
  [
    "swift",
    "play",
    "@objc(play) public func play(_ player: Player) -> Bool {\n}",
    "public func play(_ player: Player) -> Bool | ",
    "method",
  ],
  [
    "typescript",
    "get",
    "@Get(get) async get(getter: Getter): Promise<void> {\n}",
    "async get(getter: Getter): Promise<void> | ",
    "method",
  ],
  [
    "rust",
    "bind",
    "pub(in crate::bind) fn bind(binding: Binding) -> bool {\n}",
    "pub(in crate::bind) fn bind(binding: Binding) -> bool | ",
  ],
  [
    "python",
    "load",
    "def load(reload: bool, load: int) -> None:\n    pass",
    "def load(reload: bool, load: int) -> None | ",
  ],
  [
    "typescript",
    "name",
    "constructor(private readonly name: string, other: number) {\n}",
    "constructor(private readonly name: string, other: number | ",
    "constant",
  ],
  [
    "java",
    "open",
    "/**\n * Opens {@code it}.\n * @param a none\n */\n@Override\npublic void open(String a) throws IOException {\n}",
    "public void open(String a) throws IOException | Opens {@code it}.",
  ],
  ["kotlin", "open", "fun open(a: Int = 1): Int = a + 1", "fun open(a: Int = 1): Int | "],
  [
    "c",
    "open",
    "#define X 1\n/* Opens it. */\nint open(char *a)\n{\n}",
    "int open(char *a) | Opens it.",
  ],
  [
    "csharp",
    "Open",
    "/// <summary>\n/// Opens it.\n/// </summary>\npublic void Open()\n{\n}",
    "public void Open() | Opens it.",
  ],
  [
    "haskell",
    "open",
    "-- | Opens it.\nopen :: Int -> IO ()\nopen n = go n",
    "open :: Int -> IO () | Opens it.",
  ],
  ["haskell", "open", "open :: (Eq a) => a -> a\nopen a = a", "open :: (Eq a) => a -> a | "],
  ["haskell", "open", "open a\n  | a == b = b", "open a | "],
  [
    "haskell",
    "Open",
    "data Door = Open Int -- ^ Open it.\n  | Shut",
    "Open Int | Open it.",
    "constant",
  ],
  ["elixir", "open", '@doc """\nOpens it.\n"""\ndef open(a) do\nend', "def open(a) | Opens it."],
  ["markdown", "Install", "## Install\n\nText.", "Install | ", "section"],
];

test.each(CASES.map((given) => ({ given })))("$given", ({ given }) => {
  expect(call(given)).toBe(given[3]);
});

test("a name that is no longer on its line, or after the end of the file, is its own signature", () => {
  const facts = { name: "a", qualifiedName: "B.a", kind: "function" } as const;
  const place = { startLine: 9, endLine: 9, nameLine: 9 };
  expect(symbolLines(["x"], { ...facts, ...place }, "typescript")).toEqual({
    signature: "B.a",
    docLine: "",
  });
});

test.each([
  [
    "typescript",
    "/**\n * Opens it.\n *\n * Twice, if it must.\n * @returns nothing\n */\nexport function open(): void {}",
    "Opens it.\n\nTwice, if it must.\n@returns nothing",
  ],
  ["go", "// Open opens it.\n// It may fail.\nfunc open() {}", "Open opens it.\nIt may fail."],
  [
    "python",
    'def open(path):\n    """Opens it.\n\n    With a path.\n    """\n    go(path)',
    "Opens it.\n\n    With a path.",
  ],
  ["rust", "/// Opens it.\n#[must_use]\nfn open() {}", "Opens it."],
  ["typescript", "export function open(): void {}", ""],
])("the whole comment of a definition in %s has no markers", (language, text, expected) => {
  const lines = text.split("\n");
  const nameLine = lines.findIndex((line) => /\bopen\(/.test(line)) + 1;
  const facts = { name: "open", qualifiedName: "open", kind: "function" } as const;
  const place = { startLine: 1, endLine: lines.length, nameLine };
  expect(symbolComment(lines, { ...facts, ...place }, language)).toBe(expected);
});

test("a component is shown with its name, which is that of its file", () => {
  const lines = ['<script setup lang="ts">', "open();", "</script>"];
  const place = { startLine: 1, endLine: 3, nameLine: 1 };
  const symbol = { name: "Card", qualifiedName: "Card", kind: "class" as const, ...place };
  expect(symbolLines(lines, symbol, "vue").signature).toBe("component Card");
  const named = ['export default { name: "Card" }'];
  expect(symbolLines(named, { ...symbol, endLine: 1 }, "vue").signature).toContain("Card");
  expect(symbolLines(named, { ...symbol, endLine: 1 }, "vue").signature).not.toContain("component");
});

test("where there is little room, parameters on many lines are left out", () => {
  const place = { startLine: 1, endLine: 8, nameLine: 1, kind: "function" } as const;
  const parameters = ["  a: number,", "  b: number,", "  c: number,", "  d: number,"];
  const lines = ["export function open(", ...parameters, "): void {", "  go();", "}"];
  const facts = { ...place, name: "open", qualifiedName: "open" };
  const brief = symbolLines(lines, facts, "typescript", { isBrief: true });
  expect(brief.signature).toBe("export function open(…)");
  expect(symbolLines(lines, facts, "typescript").signature).toBe(
    "export function open(a: number, b: number, c: number, d: number): void",
  );
  const short = ["export function open(", "  a: number,", "): void {", "}"];
  const whole = symbolLines(short, { ...facts, endLine: 4 }, "typescript", { isBrief: true });
  expect(whole.signature).toBe("export function open(a: number): void");
});

test("an operator of Haskell is shown with its parentheses", () => {
  const lines = ["(<+>) :: Int -> Int", "(<+>) a = a"];
  const place = { startLine: 1, endLine: 2, nameLine: 1, kind: "function" } as const;
  const symbol = { name: "<+>", qualifiedName: "<+>", ...place };
  expect(symbolLines(lines, symbol, "haskell").signature).toBe("(<+>) :: Int -> Int");
});
