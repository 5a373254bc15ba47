// What definitions look like on one line, by language. Conservative: a missed definition costs a
// less exact chunk, a wrong one cuts a function in two.
import { BASH } from "./bash/lines.ts";
import { C, CPP, CURLY, CURLY_CLASSES, FUNCTION, TYPED_CLASSES, TYPES } from "./common-lines.ts";
import { CSS, HTML, TOML } from "./data-lines.ts";
import { JULIA } from "./julia/lines.ts";
import { pattern, type LinePatterns } from "./line-pattern.ts";
import { OBJC } from "./objc/lines.ts";
import { OCAML } from "./ocaml/lines.ts";
import { POWERSHELL } from "./powershell/lines.ts";
import { SQL } from "./sql/lines.ts";
import { SWIFT } from "./swift/lines.ts";

const curly: LinePatterns = { patterns: CURLY };
const classes: LinePatterns = { patterns: CURLY_CLASSES };
const typed: LinePatterns = { patterns: TYPED_CLASSES };
const keywords: LinePatterns = { patterns: [...TYPES, FUNCTION] };
const keys: LinePatterns = {
  patterns: [
    { ...pattern("section", "^([\\w.$/\"'-][^:#{}[\\]]{0,80}):(?:\\s|$)"), isSymbol: false },
  ],
};
const sections: LinePatterns = {
  patterns: [{ ...pattern("section", "^\\s*\\[+([^[\\]][^\\]]*)\\]"), isSymbol: false }],
  untilNext: true,
};

function headings(source: string): LinePatterns {
  return { patterns: [pattern("section", source, "iu")], untilNext: true };
}

const lisp: LinePatterns = {
  patterns: [pattern("function", "^\\((?:cl-)?def\\w*\\s+\\(?([^\\s()]+)", "iu")],
};

export const LINE_PATTERNS: ReadonlyMap<string, LinePatterns> = new Map([
  ["", curly],
  ["javascript", classes],
  ["typescript", classes],
  ["tsx", classes],
  ["java", typed],
  ["csharp", typed],
  ["dart", typed],
  ["c", { patterns: C }],
  ["cpp", { patterns: CPP }],
  [
    "go",
    {
      patterns: [
        { ...pattern("class", "^type\\s+(\\w+)(?:\\[.*\\])?\\s+struct\\b"), words: ["type"] },
        { ...pattern("type", "^type\\s+(\\w+)"), words: ["type"] },
        FUNCTION,
      ],
    },
  ],
  ["python", keywords],
  ["ruby", keywords],
  ["elixir", keywords],
  ["starlark", keywords],
  ["crystal", keywords],
  ["nim", keywords],
  ["lua", { patterns: [FUNCTION] }],
  ["perl", { patterns: [FUNCTION, pattern("module", "^package\\s+([\\w:]+)")] }],
  ["powershell", POWERSHELL],
  ["bash", BASH],
  ["julia", JULIA],
  [
    "haskell",
    {
      patterns: [
        pattern("type", "^(?:data|newtype|type|class)\\s+([A-Z][\\w']*)"),
        pattern("function", "^([a-z_][\\w']*)\\s*::"),
      ],
    },
  ],
  ["ocaml", OCAML],
  [
    "fsharp",
    {
      patterns: [
        ...TYPES,
        pattern("type", "^\\s*type\\s+(\\w+)"),
        pattern(
          "function",
          "^\\s*(?:let|member|static member|override|and)\\s+(?:(?:rec|inline|private)\\s+)*([\\w.]+)",
        ),
      ],
    },
  ],
  ["r", { patterns: [pattern("function", "^\\s*([\\w.]+)\\s*(?:<-|=)\\s*function\\b")] }],
  ["erlang", { patterns: [pattern("function", "^([a-z]\\w*)\\(.*(?:->|when)")], untilNext: true }],
  [
    "clojure",
    { patterns: [pattern("function", "^\\(def[\\w-]*\\s+(?:\\^\\S+\\s+)?([^\\s()[\\]]+)")] },
  ],
  ["lisp", lisp],
  ["elisp", lisp],
  ["verilog", { patterns: [pattern("module", "^\\s*(?:module|interface|package)\\s+(\\w+)")] }],
  [
    "vhdl",
    {
      patterns: [pattern("module", "^\\s*(?:entity|architecture|package)\\s+(\\w+)", "iu")],
    },
  ],
  [
    "fortran",
    {
      patterns: [
        pattern("module", "^\\s*(?:module|program)\\s+(\\w+)\\s*$", "iu"),
        pattern(
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
        pattern(
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
        pattern("class", "^\\s*(?:abstract\\s+)?(?:contract|library|struct)\\s+(\\w+)"),
        pattern("type", "^\\s*(?:interface|enum|event|error)\\s+(\\w+)"),
        pattern("function", "^\\s*(?:function|modifier)\\s+(\\w+)"),
      ],
    },
  ],
  [
    "thrift",
    {
      patterns: [pattern("type", "^\\s*(?:struct|service|enum|union|exception|typedef)\\s+(\\w+)")],
    },
  ],
  ["vim", { patterns: [pattern("function", "^\\s*(?:function|def)!?\\s+([\\w:#.<>]+)")] }],
  ["objc", OBJC],
  ["sql", SQL],
  ["swift", SWIFT],
  ["css", CSS],
  ["makefile", { patterns: [pattern("function", "^([\\w./%-]+)\\s*:(?!=)")] }],
  ["cmake", { patterns: [pattern("function", "^\\s*(?:function|macro)\\s*\\(\\s*(\\w+)", "iu")] }],
  [
    "terraform",
    {
      patterns: [
        pattern(
          "class",
          "^((?:resource|data|module|variable|output|provider|locals|terraform)\\b[^{=]*)\\{",
        ),
      ],
    },
  ],
  [
    "protobuf",
    {
      patterns: [
        pattern("type", "^\\s*(?:message|enum|service|extend)\\s+([\\w.]+)"),
        pattern("function", "^\\s*rpc\\s+(\\w+)"),
      ],
    },
  ],
  [
    "graphql",
    {
      patterns: [
        pattern(
          "type",
          "^\\s*(?:extend\\s+)?(?:type|input|interface|enum|union|scalar|directive)\\s+@?(\\w+)",
        ),
        pattern("function", "^\\s*(?:query|mutation|subscription|fragment)\\s+(\\w+)"),
      ],
    },
  ],
  ["yaml", keys],
  ["toml", TOML],
  ["ini", sections],
  ["html", HTML],
  ["tex", headings("\\\\(?:chapter|(?:sub)*section)\\*?\\{([^}]+)")],
  ["json", { patterns: [] }],
  ["xml", { patterns: [] }],
  ["dockerfile", { patterns: [] }],
]);
