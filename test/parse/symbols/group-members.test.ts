// Small definitions inside others: each is a symbol, and none becomes a chunk.
import { describe, expect, it } from "vitest";

import { withoutMacros } from "../../../src/parse/languages/c/macros.ts";
import { chunk } from "../../chunk/helpers.ts";
import { symbolLines } from "../symbol-lines.ts";

const CASES: readonly (readonly [language: string, text: string, ...expected: string[]])[] = [
  [
    "typescript",
    "interface A {\n  b: string;\n  c(): void;\n}\ntype D = { e: number };\nenum F { G, H = 2 }\nclass I {\n  constructor(private readonly j: string, k: string) {}\n}\nexport const { l, m: [n = 1] } = load();\n",
    "1 type A",
    "2 field A.b",
    "3 method A.c",
    "5 type D",
    "5 field D.e",
    "6 type F",
    "6 constant F.G",
    "6 constant F.H",
    "7 class I",
    "8 method I.constructor",
    "8 field I.j",
    "10 constant l",
    "10 constant n",
  ],
  [
    "javascript",
    'class A {\n  constructor() {\n    // this.no = 1\n    this.b = "this.c = 2";\n    this.d();\n  }\n}\nconst { e } = require("e");\n',
    "1 class A",
    "2 method A.constructor",
    "4 field A.b",
  ],
  [
    "python",
    "class A:\n    b = 1\n    def __init__(self):\n        self.b = 2\n        self.c: int = 3\n        self.c = 4\n        x = 'self.d = 5'\nE, F = 1, 2\nG = H = 3\nfor I in ():\n    J = I\ndef k():\n    local = 1\n    def inner(): pass\n    return inner\n",
    "1 class A",
    "2 field A.b",
    "3 method A.__init__",
    "5 field A.c",
    "8 constant E",
    "8 constant F",
    "9 constant G",
    "9 constant H",
    "11 constant J",
    "12 function k",
    "14 function k.inner",
  ],
  [
    "go",
    "package p\n\ntype A struct {\n\tb, c int\n\t*d.E\n\tf struct {\n\t\tg int\n\t}\n}\n\ntype H interface {\n\tI()\n}\n\nvar j, k = 1, 2\n",
    "3 class A",
    "4 field A.b",
    "4 field A.c",
    "5 field A.E",
    "6 field A.f",
    "7 field A.f.g",
    "11 type H",
    "12 method H.I",
    "15 constant j",
    "15 constant k",
  ],
  [
    "java",
    'interface A { int B = 1, C = 2; }\nenum D { E, F { void g() {} }; int h; }\nrecord I(int j) {}\n@interface K { String l() default ""; }\n',
    "1 type A",
    "1 constant A.B",
    "1 constant A.C",
    "2 type D",
    "2 constant D.E",
    "2 constant D.F",
    "2 method D.F.g",
    "2 field D.h",
    "3 class I",
    "3 field I.j",
    "4 type K",
    "4 method K.l",
  ],
  [
    "rust",
    "mod a;\nstruct B { c: u8 }\nenum D { E, F { g: u8 } }\ntrait H { fn i(&self); const J: u8; }\nunion K { l: u8 }\n",
    "1 module a",
    "2 class B",
    "2 field B.c",
    "3 type D",
    "3 constant D.E",
    "3 constant D.F",
    "3 field D.F.g",
    "4 type H",
    "4 method H.i",
    "4 constant H.J",
    "5 class K",
    "5 field K.l",
  ],
  [
    "c",
    "#define A\nstruct B { int c, *d; union { int e; }; struct F { int g; } h; };\ntypedef struct I { int j; } K, *L;\nenum { M, N };\nint o, p = 1;\nextern int q(int a, int b);\n",
    "1 constant A",
    "2 class B",
    "2 field B.c",
    "2 field B.d",
    "2 field B.e",
    "2 field B.h",
    "2 field B.h.g",
    "3 type K",
    "3 field K.j",
    "3 class I",
    "3 type L",
    "4 constant M",
    "4 constant N",
    "5 constant o",
    "5 constant p",
    "6 function q",
  ],
  [
    "cpp",
    "namespace a::b {\nclass C {\n  int d;\n  struct E { int f; };\n  enum class G { H };\n  friend bool operator==(C x, C y) { return true; }\n};\n}\n",
    "1 module a",
    "1 module b",
    "2 class C",
    "3 field C.d",
    "4 class C.E",
    "4 field C.E.f",
    "5 type C.G",
    "5 constant C.G.H",
    "6 method C.operator==",
  ],
  [
    "csharp",
    "namespace A { enum B { C } record D(int E); class F { int g, h; event X i { add {} remove {} } } }\n",
    "1 module A",
    "1 type B",
    "1 constant B.C",
    "1 class D",
    "1 field D.E",
    "1 class F",
    "1 field F.g",
    "1 field F.h",
    "1 field F.i",
  ],
  [
    "php",
    "<?php\nenum A { case B; const C = 1, D = 2; }\nclass E { private $f, $g; function __construct(private int $h, $i) {} }\n",
    "2 type A",
    "2 constant A.B",
    "2 constant A.C",
    "2 constant A.D",
    "3 class E",
    "3 field E.f",
    "3 field E.g",
    "3 method E.__construct",
    "3 field E.h",
  ],
  [
    "ruby",
    "class A\n  attr_reader :b, :c\n  alias d e\n  alias_method :f, :g\n  def h; end if true\nend\n",
    "1 class A",
    "2 method A.b",
    "2 method A.c",
    "3 method A.d",
    "4 method A.f",
    "5 method A.h",
  ],
  [
    "kotlin",
    "enum class A { B, C }\nclass D(private val e: Int, f: Int)\n",
    "1 type A",
    "1 constant A.B",
    "1 constant A.C",
    "2 class D",
    "2 field D.e",
  ],
];

const CONSTANTS: readonly (readonly [language: string, text: string, ...expected: string[]])[] = [
  [
    "java",
    "class A {\n  static final int B = 1, C = 2;\n  final int d = 3;\n  static int e;\n}\n",
    "2 constant A.B",
    "2 constant A.C",
    "3 field A.d",
    "4 field A.e",
  ],
  [
    "csharp",
    "class A {\n  const int B = 1;\n  static readonly int C = 2;\n  readonly int d;\n  int E { get; }\n}\n",
    "2 constant A.B",
    "3 constant A.C",
    "4 field A.d",
    "5 field A.E",
  ],
  [
    "kotlin",
    "val a = 1\nobject B {\n  const val C = 1\n  val d = 2\n}\n",
    "1 constant a",
    "3 constant B.C",
    "4 field B.d",
  ],
  [
    "python",
    "class A:\n    LIMIT = 1\n    name: str = ''\nother = 2\n",
    "2 constant A.LIMIT",
    "3 field A.name",
    "4 constant other",
  ],
  [
    "cpp",
    "struct A {\n  static constexpr int B = 1;\n  static const int C = 2;\n  const char *d;\n};\n",
    "2 constant A.B",
    "3 constant A.C",
    "4 field A.d",
  ],
  [
    "typescript",
    "enum A { B, C = 2 }\nclass D {\n  static readonly e = 1;\n  f?: string;\n  g = () => 1;\n}\n",
    "1 constant A.B",
    "1 constant A.C",
    "3 field D.e",
    "4 field D.f",
  ],
  [
    "dart",
    "class A {\n  static const b = 1;\n  final int c;\n  A(this.c);\n}\nfinal d = 2;\n",
    "2 constant A.b",
    "3 field A.c",
    "6 constant d",
  ],
  [
    "solidity",
    "contract A {\n  uint constant B = 1;\n  uint c;\n}\n",
    "2 constant A.B",
    "3 field A.c",
  ],
];

describe("fields and constants are distinguished", () => {
  it.each(CONSTANTS)("in %s", async (language, text, ...expected) => {
    const found = await symbolLines(language, text);
    expect(found.filter((one) => /^\d+ (?:constant|field) /.test(one))).toEqual(expected);
  });
});

describe("members", () => {
  it.each(CASES)("of %s are symbols", async (language, text, ...expected) => {
    expect(await symbolLines(language, text)).toEqual(expected);
  });

  it("have no chunk of their own and are in no list of names", async () => {
    const fields = Array.from({ length: 90 }, (_, index) => `\tField${index} int`).join("\n");
    const { chunks } = await chunk("go", `package p\n\ntype A struct {\n${fields}\n}\n`);
    expect(chunks.flatMap(({ names }) => names)).not.toContain("Field1");
    expect(new Set(chunks.map(({ symbol }) => symbol))).toEqual(new Set(["A"]));
  });
});

describe("macros of C", () => {
  it("before a declaration do not hide the declaration", async () => {
    const text =
      "API_EXTERN loop_t* open_loop(void);\nAPI_EXTERN int close_loop(loop_t* loop);\nstruct request_s {\n  API_FIELDS\n  int size;\n};\n";
    expect(await symbolLines("c", text, "api.h")).toEqual([
      "1 function open_loop",
      "2 function close_loop",
      "3 class request_s",
      "5 field request_s.size",
    ]);
  });

  it("are kept where they may be something else", async () => {
    const text =
      "enum a {\n  A_B,\n  /* last */\n  A_C\n};\n#define D_E static int\nint f(void) {\n  return A_B +\n    A_C\n  ;\n}\nS_T g(void);\n";
    expect(withoutMacros(text)).toBe(text);
  });

  it("leave the names of what they enclose to the chunks", async () => {
    const { chunks } = await chunk(
      "cpp",
      "LIB_BEGIN_NAMESPACE\nnamespace detail {\nclass A {};\n}\nLIB_END_NAMESPACE\n",
    );
    expect(chunks.flatMap(({ names }) => names)).toEqual(["A"]);
  });
});
