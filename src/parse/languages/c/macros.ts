// Macros in places where the C grammar allows no name, so it misparses the text after them.

import { blanks, withoutAnnotations } from "./annotations.ts";
import { withDeclarations } from "./declaring-macros.ts";

const KEYWORDS =
  "struct|class|enum|union|void|int|char|unsigned|static|inline|constexpr|const|explicit|namespace|template|auto|friend|virtual|typedef|using|extern|bool";
const NAME = "[A-Z][A-Z0-9]*_[A-Z0-9_]*";
const MACRO = new RegExp(
  [
    // On a line of its own: `FMT_BEGIN_NAMESPACE`, `UV_REQ_FIELDS`, `UV_ERRNO_MAP(XX)`.
    `^[ \\t]*${NAME}(?:\\([\\w, ]*\\))?[ \\t]*$`,
    // At the start of a line also with other arguments: `FMT_PRAGMA_CLANG(diagnostic error "-Wall")`.
    `^${NAME}\\((?:[^()\\n;{}]|\\([^()\\n;]*\\))*\\)[ \\t]*$`,
    // Before a declaration: `UV_EXTERN uv_loop_t* open(void);`, `FMT_API void close();`.
    `\\b${NAME}(?=[ \\t]+(?:(?:${KEYWORDS})\\b|~|[A-Za-z_][\\w:]*(?:[ \\t]*<[^<>;\\n]*>)?(?:[ \\t]*[*&]+[ \\t]*|[ \\t]+)[A-Za-z_]))`,
    // Before a constructor: `FMT_CONSTEXPR buffer(size_t size) : size_(size) {}`.
    `^[ \\t]*${NAME}(?=[ \\t]+[A-Za-z_]\\w*\\([^;{}]{0,200}\\)\\s*(?:noexcept\\s*)?(?::[^:]|\\{))`,
    // Before a constructor or a destructor that is defined outside its class: `FMT_INLINE buffer<T>::buffer(size_t size)`.
    `^[ \\t]*${NAME}(?=[ \\t\\n]+(?:[A-Za-z_]\\w*::)*(?<type>[A-Za-z_]\\w*)(?:<[^<>;\\n]*>)?::~?\\k<type>[ \\t]*\\()`,
    // Between parameters and the body: `int size() const FMT_NOEXCEPT {`.
    `\\b(?=[A-Z])(?<=\\)[ \\t\\n]*(?:(?:const|override|final)[ \\t\\n]+)?)${NAME}(?=[ \\t\\n]*\\{)`,
    // Before a block of statements: `FMT_TRY {`.
    `^[ \\t]*${NAME}(?=[ \\t]+\\{)`,
    // Before a class name: `class FMT_API format_error`.
    `\\b(?=[A-Z])(?<=\\b(?:class|struct|union)[ \\t]+)${NAME}(?=[ \\t]+[A-Za-z_])`,
    // The same in one word: `class LOCKABLE Mutex {`.
    `\\b(?=[A-Z])(?<=\\b(?:class|struct|union)[ \\t]+)[A-Z][A-Z0-9]{2,}(?=[ \\t]+[A-Za-z_]\\w*\\s*(?:final\\s*)?[:{])`,
    // Between `if` and its condition: `if FMT_CONSTEXPR20 (is_signed)`.
    `\\b(?=[A-Z])(?<=\\bif[ \\t]+)${NAME}(?=[ \\t]*\\()`,
  ].join("|"),
  "gm",
);

/**
 * Returns the text with such macros replaced by blanks, so that offsets do not change. Without the header
 * that defines it, the meaning of a name in capitals is unknown, so its position decides.
 */
export function withoutMacros(text: string): string {
  const clean = text.replace(MACRO, (found: string, _type: string | undefined, at: number) =>
    isMacro(text, at, found) ? blanks(found) : found,
  );
  return withDeclarations(withoutAnnotations(clean));
}

function isMacro(text: string, at: number, found: string): boolean {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(lineStart, at).trim();
  if (/^(?:#|\/\/|\/?\*)|["']/.test(before)) return false;
  const end = text.indexOf("\n", at + found.length);
  const isLine = text.slice(at + found.length, end === -1 ? text.length : end).trim() === "";
  if (!isLine || before !== "") return true;
  // On a line of its own it may also be the rest of an expression, a list item, or the head of a function.
  return (
    !isContinued(text, lineStart) &&
    !/^\s*[{:;,)=.?+|&[(]/.test(text.slice(at + found.length, at + found.length + 80))
  );
}

/** Returns whether the text before the line, without comments, continues on the line. */
function isContinued(text: string, lineStart: number): boolean {
  const before = text
    .slice(Math.max(0, lineStart - 600), lineStart)
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, "")
    .replace(/^[^]*\*\//, "")
    .trimEnd();
  const line = before.slice(before.lastIndexOf("\n") + 1).trimStart();
  return line.startsWith("#") ? line.endsWith("\\") : /[\\,(=|&+?<*/%!^-]$|\breturn$/.test(line);
}
