// What definitions look like on one line, by language. Conservative: a missed definition costs a
// less exact chunk, a wrong one cuts a function in two.
import type { Kind } from "./language.ts";

export interface LinePattern {
  readonly kind: Kind;
  /** Has a group `name`. Must take linear time on any line. */
  readonly regex: RegExp;
  readonly isSymbol?: false;
}

export interface LinePatterns {
  readonly patterns: readonly LinePattern[];
  /** True when a definition goes on to the next one, whatever the indentation. */
  readonly untilNext?: true;
}

const MODIFIERS =
  "(?:(?:export|default|declare|public|private|protected|internal|fileprivate|static|final|abstract|sealed|open|override|async|inline|virtual|partial|readonly|data|mutating|nonisolated|convenience|required|indirect|unsafe|extern|const|local|pub(?:\\([^)]*\\))?|@\\w+(?:\\([^()]*\\))?)\\s+)*";

const PATH = "[\\p{L}_][\\p{L}\\p{N}_.]*(?:::[\\p{L}\\p{N}_]+)*";

function pattern(kind: Kind, source: string, flags = "u"): LinePattern {
  return { kind, regex: new RegExp(source, flags) };
}

const TYPES = [
  pattern(
    "class",
    `^\\s*${MODIFIERS}(?:class|struct|object|record|actor|union|extension|mixin|impl)\\s+(?<name>${PATH})`,
  ),
  pattern(
    "type",
    `^\\s*${MODIFIERS}(?:interface|trait|protocol|enum|typealias)\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_.]*)`,
  ),
  pattern(
    "module",
    `^\\s*${MODIFIERS}(?:namespace|module|mod|defmodule|package)\\s+(?<name>${PATH})\\s*(?:\\{|do\\b|$)`,
  ),
];
const FUNCTION = pattern(
  "function",
  `^\\s*${MODIFIERS}(?:func|function\\*?|fun|fn|def|defp|defmacro|sub|proc|macro)\\s+(?:\\([^)]*\\)\\s*)?(?<name>[\\p{L}_$][\\p{L}\\p{N}_$.:!?-]*)`,
);
/** `Type name(…) {` as in C, Java, C# and Dart. */
const TYPED_FUNCTION = pattern(
  "function",
  "^\\s*(?!(?:return|else|new|throw|await|yield|delete|case|goto|if|for|while|switch|catch|do)\\b)(?:[\\w<>[\\],.*&?:]+\\s+){1,5}[*&]*(?<name>[\\w:~]+)\\s*\\([^;]*\\{\\s*$",
);
const ARROW = pattern(
  "function",
  "^\\s*(?:export\\s+)?(?:const|let|var)\\s+(?<name>[\\w$]+)\\s*(?::[^=]*)?=\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)\\s*(?::[^=]*)?=>|\\w+\\s*=>)",
);
const INITIALISER = pattern(
  "function",
  "^\\s*(?:(?:public|private|internal|convenience|required|override)\\s+)*(?<name>init|deinit)\\b[?!]?\\s*[({<]",
);
const curly: LinePatterns = { patterns: [...TYPES, FUNCTION, INITIALISER, ARROW, TYPED_FUNCTION] };
const keywords: LinePatterns = { patterns: [...TYPES, FUNCTION] };
const keys: LinePatterns = {
  patterns: [
    { ...pattern("section", "^(?<name>[\\w.$/\"'-][^:#{}[\\]]{0,80}):(?:\\s|$)"), isSymbol: false },
  ],
};
const tables: LinePatterns = {
  patterns: [{ ...pattern("section", "^\\s*\\[+(?<name>[^\\]]+)\\]"), isSymbol: false }],
  untilNext: true,
};
const styles: LinePatterns = {
  patterns: [{ ...pattern("section", "^(?<name>[^\\s{}/*][^{}]*?)\\s*\\{"), isSymbol: false }],
};

function headings(source: string): LinePatterns {
  return { patterns: [pattern("section", source, "iu")], untilNext: true };
}

const lisp: LinePatterns = {
  patterns: [pattern("function", "^\\((?:cl-)?def\\w*\\s+\\(?(?<name>[^\\s()]+)", "iu")],
};

const SQL_OBJECT =
  "^\\s*create\\s+(?:or\\s+replace\\s+)?(?:(?:global|local|temporary|temp|unlogged|unique|materialized|external|virtual)\\s+)*";
const SQL_NAME = '(?:if\\s+not\\s+exists\\s+)?(?<name>[\\w."`[\\]$]+)';

export const LINE_PATTERNS: ReadonlyMap<string, LinePatterns> = new Map([
  ["", curly],
  ["python", keywords],
  ["ruby", keywords],
  ["elixir", keywords],
  ["julia", keywords],
  ["starlark", keywords],
  ["crystal", keywords],
  ["nim", keywords],
  ["lua", { patterns: [FUNCTION] }],
  ["perl", { patterns: [FUNCTION, pattern("module", "^package\\s+(?<name>[\\w:]+)")] }],
  [
    "powershell",
    {
      patterns: [
        pattern("function", "^\\s*(?:function|filter)\\s+(?<name>[\\w:-]+)", "iu"),
        ...TYPES,
      ],
    },
  ],
  [
    "bash",
    { patterns: [FUNCTION, pattern("function", "^\\s*(?<name>[\\w:-]+)\\s*\\(\\)\\s*\\{?")] },
  ],
  [
    "haskell",
    {
      patterns: [
        pattern("type", "^(?:data|newtype|type|class)\\s+(?<name>[A-Z][\\w']*)"),
        pattern("function", "^(?<name>[a-z_][\\w']*)\\s*::"),
      ],
    },
  ],
  [
    "ocaml",
    {
      patterns: [
        pattern("module", "^\\s*module\\s+(?:type\\s+)?(?<name>[A-Z]\\w*)"),
        pattern(
          "type",
          "^\\s*(?:type|exception)\\s+(?:'\\w+\\s+|\\([^)]*\\)\\s*)?(?<name>[\\w']+)",
        ),
        pattern("function", "^\\s*(?:let|and|val|external)\\s+(?:rec\\s+)?(?<name>[a-z_][\\w']*)"),
      ],
    },
  ],
  [
    "fsharp",
    {
      patterns: [
        ...TYPES,
        pattern("type", "^\\s*type\\s+(?<name>\\w+)"),
        pattern(
          "function",
          "^\\s*(?:let|member|static member|override|and)\\s+(?:(?:rec|inline|private)\\s+)*(?<name>[\\w.]+)",
        ),
      ],
    },
  ],
  ["r", { patterns: [pattern("function", "^\\s*(?<name>[\\w.]+)\\s*(?:<-|=)\\s*function\\b")] }],
  [
    "erlang",
    { patterns: [pattern("function", "^(?<name>[a-z]\\w*)\\(.*(?:->|when)")], untilNext: true },
  ],
  [
    "clojure",
    { patterns: [pattern("function", "^\\(def[\\w-]*\\s+(?:\\^\\S+\\s+)?(?<name>[^\\s()[\\]]+)")] },
  ],
  ["lisp", lisp],
  ["elisp", lisp],
  [
    "verilog",
    { patterns: [pattern("module", "^\\s*(?:module|interface|package)\\s+(?<name>\\w+)")] },
  ],
  [
    "vhdl",
    {
      patterns: [pattern("module", "^\\s*(?:entity|architecture|package)\\s+(?<name>\\w+)", "iu")],
    },
  ],
  [
    "fortran",
    {
      patterns: [
        pattern("module", "^\\s*(?:module|program)\\s+(?<name>\\w+)\\s*$", "iu"),
        pattern(
          "function",
          "^\\s*(?:(?:pure|elemental|recursive|integer|real|logical)\\s+)*(?:subroutine|function)\\s+(?<name>\\w+)",
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
          "^\\s*(?:class\\s+)?(?:procedure|function|constructor|destructor)\\s+(?<name>[\\w.]+)",
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
        pattern("class", "^\\s*(?:abstract\\s+)?(?:contract|library|struct)\\s+(?<name>\\w+)"),
        pattern("type", "^\\s*(?:interface|enum|event|error)\\s+(?<name>\\w+)"),
        pattern("function", "^\\s*(?:function|modifier)\\s+(?<name>\\w+)"),
      ],
    },
  ],
  [
    "thrift",
    {
      patterns: [
        pattern("type", "^\\s*(?:struct|service|enum|union|exception|typedef)\\s+(?<name>\\w+)"),
      ],
    },
  ],
  ["vim", { patterns: [pattern("function", "^\\s*(?:function|def)!?\\s+(?<name>[\\w:#.<>]+)")] }],
  [
    "objc",
    {
      patterns: [
        pattern("class", "^@(?:interface|implementation|protocol)\\s+(?<name>\\w+)"),
        pattern("method", "^[-+]\\s*\\([^)]*\\)\\s*(?<name>\\w+)"),
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
            '^(?<name>(?:insert into|alter table|update|delete from|drop \\w+|grant)\\s+[\\w."`]+)',
            "iu",
          ),
          isSymbol: false,
        },
      ],
      untilNext: true,
    },
  ],
  ["css", styles],
  ["makefile", { patterns: [pattern("function", "^(?<name>[\\w./%-]+)\\s*:(?!=)")] }],
  [
    "cmake",
    { patterns: [pattern("function", "^\\s*(?:function|macro)\\s*\\(\\s*(?<name>\\w+)", "iu")] },
  ],
  [
    "terraform",
    {
      patterns: [
        pattern(
          "class",
          "^(?<name>(?:resource|data|module|variable|output|provider|locals|terraform)\\b[^{=]*)\\{",
        ),
      ],
    },
  ],
  [
    "protobuf",
    {
      patterns: [
        pattern("type", "^\\s*(?:message|enum|service|extend)\\s+(?<name>[\\w.]+)"),
        pattern("function", "^\\s*rpc\\s+(?<name>\\w+)"),
      ],
    },
  ],
  [
    "graphql",
    {
      patterns: [
        pattern(
          "type",
          "^\\s*(?:extend\\s+)?(?:type|input|interface|enum|union|scalar|directive)\\s+@?(?<name>\\w+)",
        ),
        pattern("function", "^\\s*(?:query|mutation|subscription|fragment)\\s+(?<name>\\w+)"),
      ],
    },
  ],
  ["yaml", keys],
  ["toml", tables],
  ["ini", tables],
  ["html", headings("<h[1-6][^>]{0,200}>(?<name>[^<]+)")],
  ["tex", headings("\\\\(?:chapter|(?:sub)*section)\\*?\\{(?<name>[^}]+)")],
  ["json", { patterns: [] }],
  ["xml", { patterns: [] }],
  ["dockerfile", { patterns: [] }],
]);
