// Languages in which functions are applied without brackets, or in lists.

import { wordSet, type CodeNameRules } from "./name-rules.ts";
import {
  CHARACTER,
  HASH_COMMENT,
  LONG_TEXT,
  SEMICOLON_COMMENT,
  SLASH_COMMENT,
  TRIPLE_TEXT,
} from "./token-syntaxes.ts";

const ML_KEYWORDS =
  "and as assert asr begin class constraint do done downto else end exception external false for fun function functor if in include inherit initializer land lazy let lor lsl lsr lxor match method mod module mutable new nonrec object of open or private rec sig struct then to true try type val virtual when while with not ref ignore failwith raise invalid_arg fst snd int string bool unit float char list array option bytes exn";

/** Operators with a bar, which begins a case of a match. */
const ML_MARKS = "\\|>|<\\||\\[\\||\\|\\]|\\|\\+|>\\|=?";

export const OCAML_NAMES: CodeNameRules = {
  syntax: {
    comments: "\\(\\*(?!\\))",
    nested: ["(*", "*)"],
    texts: `${LONG_TEXT}|\\{(?<quoted>[a-z_]{0,12})\\|[^]*?(?:\\|\\k<quoted>\\}|$)|${CHARACTER}`,
    names: "[~?'`]?[A-Za-z_][\\w']*",
    marks: ML_MARKS,
  },
  keywords: wordSet(ML_KEYWORDS),
  joins: new Set(["."]),
  values: "all",
  isAppliedWithoutBrackets: true,
  declares: wordSet("let and fun function for method | val as"),
  declaresUntil: wordSet("= -> in to when"),
  typeMarks: new Set([":"]),
  selves: wordSet("self"),
  hasConstructors: true,
  hasNoMethods: true,
};

export const FSHARP_NAMES: CodeNameRules = {
  syntax: {
    comments: "\\(\\*(?!\\))|//[^\\n]*",
    nested: ["(*", "*)"],
    texts: `${TRIPLE_TEXT}|@"(?:[^"]|"")*"?|${LONG_TEXT}|${CHARACTER}|\`\`[^\`\\n]*\`\``,
    names: "['?]?[\\p{L}_][\\p{L}\\p{N}_']*",
    marks: ML_MARKS,
    codeInTexts: /\{([^{}]*)\}/g,
  },
  keywords: wordSet(
    `${ML_KEYWORDS} abstract base default delegate elif extern finally fixed global inline interface internal let! match! member namespace null override public return return! select static upcast use use! void yield yield! printfn printf sprintf failwithf box unbox seq async task Some None Ok Error List Seq Array Map Set Option Result String`,
  ),
  joins: new Set(["."]),
  values: "all",
  isAppliedWithoutBrackets: true,
  declares: wordSet("let fun for member | use let! and as"),
  declaresUntil: wordSet("= -> in do when"),
  typeMarks: new Set([":"]),
  inherits: wordSet("inherit interface"),
  selves: wordSet("this self x"),
};

const LISP_NAME = "[^\\s()\\[\\]{}\"';`,@\\\\#][^\\s()\\[\\]{}\"';`,\\\\]*";

/** A name with "/" is one of the module before it. */
export const CLOJURE_NAMES: CodeNameRules = {
  syntax: {
    comments: `${SEMICOLON_COMMENT}|#_`,
    texts: `#?${LONG_TEXT}|\\\\[^][\\w]*|::?[^\\s()\\[\\]{}"';\`,\\\\]+`,
    names: "[^\\s()\\[\\]{}\"';`,@\\\\#/^:~][^\\s()\\[\\]{}\"';`,\\\\/]*",
    marks: "#'|~@",
  },
  keywords: wordSet(
    "def defn defn- defmacro defmulti defmethod defprotocol defrecord deftype defonce deftest let if if-not if-let when when-not when-let when-some if-some cond condp case do fn loop recur for doseq dotimes binding try catch finally throw ns require use import new quote var set! and or not -> ->> some-> cond-> doto as-> letfn reify proxy extend-type extend-protocol declare true false nil is testing are & . ..",
  ),
  joins: new Set(["/"]),
  values: "all",
  hasLowerCaseModules: true,
  callsAfter: new Set(["("]),
  renamesAfter: wordSet(":as :as-alias"),
  bindingForms: wordSet(
    "let fn loop for doseq dotimes binding defn defn- defmacro defmethod if-let when-let when-some if-some letfn with-open with-redefs as-> defrecord deftype",
  ),
};

export const LISP_NAMES: CodeNameRules = {
  syntax: {
    comments: `${SEMICOLON_COMMENT}|#\\|[^]*?(?:\\|#|$)`,
    texts: `${LONG_TEXT}|\\?\\\\?[^\\s()]|#\\\\[^\\s()]\\w*|:[^\\s()"']+`,
    names: LISP_NAME,
    marks: "#'|,@",
  },
  keywords: wordSet(
    "defun defmacro defvar defcustom defconst defgroup defface defsubst defclass defmethod defgeneric defstruct deftype defpackage in-package cl-defun cl-defmacro cl-defmethod cl-defgeneric cl-defstruct define define-syntax lambda let let* letrec cl-let if when unless cond case pcase progn prog1 prog2 setq setf set quote function interactive and or not while dolist dotimes loop do return catch throw unwind-protect condition-case save-excursion with-current-buffer require provide declare nil t begin car cdr cons list append nth length mapcar mapc eq equal = < > <= >= + - * / 1+ 1- null format message error concat assoc member nreverse push pop funcall apply string= stringp consp point goto-char use-package",
  ),
  joins: new Set(),
  values: "own",
  callsAfter: new Set(["(", "#'"]),
  bindingForms: wordSet(
    "let let* letrec lambda dolist dotimes defun defmacro cl-defun cl-defmacro cl-defmethod defsubst defmethod cl-flet cl-labels flet labels when-let when-let* if-let if-let* pcase-let pcase-let* do do* multiple-value-bind destructuring-bind",
  ),
};

export const NIX_NAMES: CodeNameRules = {
  syntax: {
    comments: `${HASH_COMMENT}|${SLASH_COMMENT}`,
    texts: `${LONG_TEXT}|''[^]*?(?:(?<!')''(?!['$\\\\])|$)|\\.{0,2}/[\\w./-]+|<[\\w/.-]+>`,
    names: "[A-Za-z_][\\w'-]*",
    codeInTexts: /\$\{([^{}]*)\}/g,
  },
  keywords: wordSet(
    "assert else if in inherit let or rec then with true false null import builtins map toString throw abort baseNameOf dirOf removeAttrs derivation lib pkgs stdenv config self super",
  ),
  joins: new Set(["."]),
  values: "own",
  isAppliedWithoutBrackets: true,
  assigns: new Set([":", "@", "?"]),
};
