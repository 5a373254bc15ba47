// Macros that declare what their arguments name: `SYSCALL_DEFINE2(kill, pid_t, pid, int, sig) {…}`,
// `static DEFINE_MUTEX(lock);`. They are rewritten to declarations that the grammar of C can read.

import { blanks } from "./annotations.ts";

/** Of a function: the macro with its first argument, and the other arguments, at the beginning of a line. */
const FUNCTION =
  /^((?:static[ \t]+)?[A-Z][A-Z0-9_]{2,}\([ \t]*\w+\b)((?:[^(){};"'\\]|\([^(){};"'\\]*\))*)(?=\)[ \t]*\n?[ \t]*\{)/gm;
/** Suites and cases of tests: both names are kept. */
const TWO_NAMES = /^[ \t\n]*,[ \t\n]*\w+[ \t\n]*$/;
const DEFINES = /DEFINE|_CALL_?\d*\(|_IMPL\(/;

/** Around a declaration: `UNUSED(static void update(loop_t* loop)) {`. */
const AROUND =
  /^([A-Z][A-Z0-9_]{2,}\()(?=(?:static|extern|const|struct|void|int|unsigned|bool|char|size_t)\b)((?:[^(){};]|\([^(){};]*\))*\w[ \t]*\([^(){};]*\)[ \t\n]*)\)(?=\s*[{;])/gm;

/** Of a variable or field: `static DEFINE_MUTEX(lock);`, `LIST_HEAD(all);`. */
const VARIABLE =
  /^[ \t]*(?:(?:static|extern|const)[ \t]+)*((?:DEFINE|DECLARE)_\w+|H?LIST_HEAD)\(/gm;
/** Of the arguments of these, the second is the name, and the first its type. */
const NAME_IS_SECOND = /PER_CPU/;
/** In `DECLARE_METHOD(Status, get, const Key& key);`, which declares a function. */
const PARAMETER = /\w[\s*&]+\w/;
/** `DEFINE_COMPARISON(u64);` defines something for a type, whose name only the macro knows. */
const NUMBER_TYPE = /^\s*(?:[us]\d+|u?int\d*(?:_t)?|char|long|short|float|double|bool)\s*$/;

/** The name before the dots in `#define debug(format, arguments...)`. */
const REST = /^([ \t]*#[ \t]*define[ \t]+\w+\((?:[^()\n]*,)?[ \t]*)(\w+)(?=\.\.\.\))/gm;

/** Returns a text of the same length, with declarations instead of these macros. */
export function withDeclarations(text: string): string {
  let clean = text.replace(REST, (_found, head: string, name: string) => `${head}${blanks(name)}`);
  if (/DEFINE_|DECLARE_|LIST_HEAD/.test(clean)) clean = withVariables(clean);
  clean = clean.replace(
    AROUND,
    (_found, macro: string, declaration: string) => `${blanks(macro)}${declaration} `,
  );
  return clean.replace(FUNCTION, (found: string, head: string, others: string) =>
    others === "" || (TWO_NAMES.test(others) && !DEFINES.test(head))
      ? found
      : head + blanks(others),
  );
}

/** Writes `static DEFINE_MUTEX lock ;`, and `static int counter ;` for a variable of each processor. */
function withVariables(text: string): string {
  const parts: string[] = [];
  let last = 0;
  for (const { 0: head, 1: macro = "", index } of text.matchAll(VARIABLE)) {
    const end = index + head.length;
    const all = argumentsFrom(text, end);
    const declaration = all && variableOf(macro, all);
    if (declaration === undefined) continue;
    const start = end - "(".length - macro.length;
    const after = end + (all ?? []).join(",").length + ")".length;
    if (!/^[ \t]*[;=]/.test(text.slice(after, after + 20))) continue;
    // As long as the macro was.
    const padding = blanks(text.slice(start + declaration.length, after));
    parts.push(text.slice(last, start), declaration, padding);
    last = after;
  }
  return parts.join("") + text.slice(last);
}

/** Returns the declaration, which is shorter than the macro; undefined if it may be something else. */
function variableOf(macro: string, all: readonly string[]): string | undefined {
  const isSecond = NAME_IS_SECOND.test(macro);
  const [name = "", ...others] = isSecond ? all.slice(1) : all;
  if (!/^\s*[A-Za-z_]\w*\s*$/.test(name) || NUMBER_TYPE.test(name)) return undefined;
  if (others.some((other) => PARAMETER.test(other.replace(/"[^"]*"/g, "")))) return undefined;
  const declaration = isSecond ? `${all[0] ?? ""} ${name}` : `${macro} ${name}`;
  // The type takes the place of the macro, so that a line end would be elsewhere.
  return isSecond && declaration.includes("\n") ? undefined : declaration;
}

const MAX_ARGUMENTS_LENGTH = 2000;

/** Returns the arguments up to the bracket that closes them; undefined if it is far away. */
function argumentsFrom(text: string, from: number): readonly string[] | undefined {
  const found: string[] = [];
  const near = text.slice(from, from + MAX_ARGUMENTS_LENGTH);
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of near.matchAll(/[(){}[\],]|"(?:[^"\\\n]|\\.)*"/g)) {
    if (depth === 0 && (token === "," || token === ")")) {
      found.push(near.slice(start, index));
      if (token === ")") return found;
      start = index + 1;
    }
    if (token === "(" || token === "[" || token === "{") depth += 1;
    else if (token === ")" || token === "]" || token === "}") depth -= 1;
  }
  return undefined;
}
