// Line patterns by language. They are conservative: a missed definition makes a chunk less precise, a wrong
// one cuts a function in two.
import { BASH_LINES } from "./bash/line-patterns.ts";
import {
  C_LINES,
  CPP_LINES,
  CURLY_LINES,
  CURLY_CLASS_LINES,
  FUNCTION_LINE,
  TYPED_CLASS_LINES,
  TYPE_LINES,
} from "./common-line-patterns.ts";
import { CSS_LINES, TOML_LINES } from "./data-line-patterns.ts";
import { GROOVY_LINES } from "./groovy/line-patterns.ts";
import { JULIA_LINES } from "./julia/line-patterns.ts";
import { linePattern, type LinePatterns } from "./line-pattern.ts";
import {
  ASSEMBLY_LINES,
  BATCH_LINES,
  NIM_LINES,
  NIX_LINES,
  SHADER_LINES,
  TCL_LINES,
  VB_LINES,
  VERILOG_LINES,
} from "./more-line-patterns.ts";
import { OBJC_LINES } from "./objc/line-patterns.ts";
import { OCAML_LINES } from "./ocaml/line-patterns.ts";
import { POWERSHELL_LINES } from "./powershell/line-patterns.ts";
import { SQL_LINES } from "./sql/line-patterns.ts";
import { SWIFT_LINES } from "./swift/line-patterns.ts";

const curly: LinePatterns = { patterns: CURLY_LINES };
const classes: LinePatterns = { patterns: CURLY_CLASS_LINES };
const typed: LinePatterns = { patterns: TYPED_CLASS_LINES };
const keywords: LinePatterns = { patterns: [...TYPE_LINES, FUNCTION_LINE] };
const keys: LinePatterns = {
  patterns: [
    { ...linePattern("section", "^([\\w.$/\"'-][^:#{}[\\]]{0,80}):(?:\\s|$)"), isSymbol: false },
  ],
};
const sections: LinePatterns = {
  patterns: [{ ...linePattern("section", "^\\s*\\[+([^[\\]][^\\]]*)\\]"), isSymbol: false }],
  untilNext: true,
};

const lisp: LinePatterns = {
  patterns: [linePattern("function", "^\\((?:cl-)?def[\\w-]*\\s+\\(?([^\\s()]+)", "iu")],
};

/** By language id. "" has the patterns for unknown languages. */
export const LINE_PATTERNS: ReadonlyMap<string, LinePatterns> = new Map([
  ["", curly],
  ["javascript", classes],
  ["typescript", classes],
  ["tsx", classes],
  ["java", typed],
  ["csharp", typed],
  ["dart", typed],
  ["c", { patterns: C_LINES }],
  ["cpp", { patterns: CPP_LINES }],
  [
    "go",
    {
      patterns: [
        { ...linePattern("class", "^type\\s+(\\w+)(?:\\[.*\\])?\\s+struct\\b"), words: ["type"] },
        { ...linePattern("type", "^type\\s+(\\w+)"), words: ["type"] },
        FUNCTION_LINE,
      ],
    },
  ],
  ["python", keywords],
  ["ruby", keywords],
  ["elixir", keywords],
  ["starlark", keywords],
  ["crystal", keywords],
  ["nim", NIM_LINES],
  ["lua", { patterns: [FUNCTION_LINE] }],
  [
    "perl",
    {
      patterns: [
        FUNCTION_LINE,
        linePattern("module", "^package\\s+([\\w:]+)"),
        {
          ...linePattern("field", "^has\\s+\\+?['\"]?(\\w+)['\"]?\\s*(?:=>|[,(;])"),
          isInline: true,
        },
      ],
    },
  ],
  ["powershell", POWERSHELL_LINES],
  ["bash", BASH_LINES],
  ["julia", JULIA_LINES],
  [
    "haskell",
    {
      patterns: [
        linePattern("type", "^(?:data|newtype|type|class)\\s+([A-Z][\\w']*)"),
        linePattern("function", "^([a-z_][\\w']*)\\s*::"),
      ],
      // An equation of some lines. Most of Analytics.hs of ShellCheck has no signatures.
      code: /^[a-z_][\w']*[ \t][^=\n]*=[^\n]*\n[ \t]+\S[^\n]*\n[ \t]+\S/gm,
    },
  ],
  ["ocaml", OCAML_LINES],
  [
    "fsharp",
    {
      patterns: [
        ...TYPE_LINES,
        linePattern("type", "^\\s*type\\s+(\\w+)"),
        linePattern(
          "function",
          "^\\s*(?:let|member|static member|override|and)\\s+(?:(?:rec|inline|private)\\s+)*(``[^`]+``|[\\w.]+)",
        ),
      ],
    },
  ],
  ["r", { patterns: [linePattern("function", "^\\s*([\\w.]+)\\s*(?:<-|=)\\s*function\\b")] }],
  [
    "erlang",
    { patterns: [linePattern("function", "^([a-z]\\w*)\\(.*(?:->|when)")], untilNext: true },
  ],
  [
    "clojure",
    { patterns: [linePattern("function", "^\\(def[\\w-]*\\s+(?:\\^\\S+\\s+)?([^\\s()[\\]]+)")] },
  ],
  ["lisp", lisp],
  ["elisp", lisp],
  ["verilog", VERILOG_LINES],
  [
    "vhdl",
    {
      patterns: [linePattern("module", "^\\s*(?:entity|architecture|package)\\s+(\\w+)", "iu")],
    },
  ],
  [
    "fortran",
    {
      patterns: [
        linePattern("module", "^\\s*(?:module|program)\\s+(\\w+)\\s*$", "iu"),
        linePattern(
          "function",
          "^\\s*(?:(?:pure|elemental|recursive|integer|real|logical)\\s+)*(?:subroutine|function)\\s+(\\w+)",
          "iu",
        ),
      ],
    },
  ],
  [
    "pascal",
    {
      patterns: [
        linePattern(
          "function",
          "^\\s*(?:class\\s+)?(?:procedure|function|constructor|destructor)\\s+([\\w.]+)",
          "iu",
        ),
      ],
      untilNext: true,
    },
  ],
  [
    "solidity",
    {
      patterns: [
        linePattern("class", "^\\s*(?:abstract\\s+)?(?:contract|library|struct)\\s+(\\w+)"),
        linePattern("type", "^\\s*(?:interface|enum|event|error)\\s+(\\w+)"),
        linePattern("function", "^\\s*(?:function|modifier)\\s+(\\w+)"),
      ],
    },
  ],
  ["vim", { patterns: [linePattern("function", "^\\s*(?:function|def)!?\\s+([\\w:#.<>]+)")] }],
  ["assembly", ASSEMBLY_LINES],
  ["batch", BATCH_LINES],
  ["nix", NIX_LINES],
  ["shader", SHADER_LINES],
  ["tcl", TCL_LINES],
  ["vb", VB_LINES],
  ["objc", OBJC_LINES],
  ["groovy", GROOVY_LINES],
  ["sql", SQL_LINES],
  ["swift", SWIFT_LINES],
  ["css", CSS_LINES],
  ["makefile", { patterns: [linePattern("function", "^([\\w./%-]+)\\s*:(?!=)")] }],
  [
    "cmake",
    {
      patterns: [
        linePattern("function", "^\\s*(?:function|macro)\\s*\\(\\s*(\\w+)", "iu"),
        {
          ...linePattern(
            "constant",
            "^\\s*add_(?:library|executable|custom_target)\\s*\\(\\s*([\\w.+-]+)(?!\\s+alias)",
            "iu",
          ),
          isInline: true,
        },
      ],
    },
  ],
  [
    "terraform",
    {
      patterns: [
        linePattern(
          "class",
          "^((?:resource|data|module|variable|output|provider|locals|terraform)\\b[^{=]*)\\{",
        ),
      ],
    },
  ],
  ["yaml", keys],
  ["toml", TOML_LINES],
  ["ini", sections],
  // Only for cut points: src/parse/sections/html.ts finds headings.
  ["html", { patterns: [] }],
  ["json", { patterns: [] }],
  ["xml", { patterns: [] }],
  ["dockerfile", { patterns: [] }],
]);
