// What definitions look like on one line, by language. Conservative: a missed definition costs a
// less exact chunk, a wrong one cuts a function in two.
import {
  C,
  CPP,
  CURLY,
  CURLY_CLASSES,
  FUNCTION,
  TYPED_CLASSES,
  TYPED_FUNCTION,
  TYPES,
} from "./common-lines.ts";
import { pattern, type LinePatterns } from "./line-pattern.ts";

const curly: LinePatterns = { patterns: CURLY };
const classes: LinePatterns = { patterns: CURLY_CLASSES };
const typed: LinePatterns = { patterns: TYPED_CLASSES };
const keywords: LinePatterns = { patterns: [...TYPES, FUNCTION] };
const keys: LinePatterns = {
  patterns: [
    { ...pattern("section", "^([\\w.$/\"'-][^:#{}[\\]]{0,80}):(?:\\s|$)"), isSymbol: false },
  ],
};
const tables: LinePatterns = {
  patterns: [{ ...pattern("section", "^\\s*\\[+([^[\\]][^\\]]*)\\]"), isSymbol: false }],
  untilNext: true,
};
const styles: LinePatterns = {
  patterns: [{ ...pattern("section", "^([^\\s{}/*][^{}]*)\\{"), isSymbol: false }],
};

function headings(source: string): LinePatterns {
  return { patterns: [pattern("section", source, "iu")], untilNext: true };
}

const lisp: LinePatterns = {
  patterns: [pattern("function", "^\\((?:cl-)?def\\w*\\s+\\(?([^\\s()]+)", "iu")],
};

const SQL_OBJECT =
  "^\\s*create\\s+(?:or\\s+replace\\s+)?(?:(?:global|local|temporary|temp|unlogged|unique|materialized|external|virtual)\\s+)*";
const SQL_NAME = '(?:if\\s+not\\s+exists\\s+)?([\\w."`[\\]$]+)';

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
  ["julia", keywords],
  ["starlark", keywords],
  ["crystal", keywords],
  ["nim", keywords],
  ["lua", { patterns: [FUNCTION] }],
  ["perl", { patterns: [FUNCTION, pattern("module", "^package\\s+([\\w:]+)")] }],
  [
    "powershell",
    {
      patterns: [pattern("function", "^\\s*(?:function|filter)\\s+([\\w:-]+)", "iu"), ...TYPES],
    },
  ],
  ["bash", { patterns: [FUNCTION, pattern("function", "^\\s*([\\w:-]+)\\s*\\(\\)\\s*\\{?")] }],
  [
    "haskell",
    {
      patterns: [
        pattern("type", "^(?:data|newtype|type|class)\\s+([A-Z][\\w']*)"),
        pattern("function", "^([a-z_][\\w']*)\\s*::"),
      ],
    },
  ],
  [
    "ocaml",
    {
      patterns: [
        pattern("module", "^\\s*module\\s+(?:type\\s+)?([A-Z]\\w*)"),
        pattern("type", "^\\s*(?:type|exception)\\s+(?:'\\w+\\s+|\\([^)]*\\)\\s*)?([\\w']+)"),
        pattern("function", "^\\s*(?:let|and|val|external)\\s+(?:rec\\s+)?([a-z_][\\w']*)"),
      ],
    },
  ],
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
  [
    "objc",
    {
      patterns: [
        pattern("class", "^@(?:interface|implementation|protocol)\\s+(\\w+)"),
        pattern("method", "^[-+]\\s*\\([^)]*\\)\\s*(\\w+)"),
        TYPED_FUNCTION,
      ],
    },
  ],
  [
    "sql",
    {
      patterns: [
        pattern("class", `${SQL_OBJECT}(?:table|view|type|domain)\\s+${SQL_NAME}`, "iu"),
        pattern(
          "function",
          `${SQL_OBJECT}(?:function|procedure|trigger|package|macro)\\s+${SQL_NAME}`,
          "iu",
        ),
        pattern(
          "constant",
          `${SQL_OBJECT}(?:index|sequence|schema|role|policy|extension)\\s+${SQL_NAME}`,
          "iu",
        ),
        {
          ...pattern(
            "text",
            '^((?:insert into|alter table|update|delete from|drop \\w+|grant)\\s+[\\w."`]+)',
            "iu",
          ),
          isSymbol: false,
        },
      ],
      untilNext: true,
    },
  ],
  ["css", styles],
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
  ["toml", tables],
  ["ini", tables],
  ["html", headings("<h[1-6][^>]{0,200}>([^<]+)")],
  ["tex", headings("\\\\(?:chapter|(?:sub)*section)\\*?\\{([^}]+)")],
  ["json", { patterns: [] }],
  ["xml", { patterns: [] }],
  ["dockerfile", { patterns: [] }],
]);
