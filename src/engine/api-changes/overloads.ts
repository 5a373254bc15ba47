// The declarations of a function that the parser joins: overloads, and their implementation.

import { languageFamily } from "../../base/language-families.ts";
import { endOfBrackets } from "./parameters.ts";

/**
 * Returns the declarations that a caller sees, if the text of a definition has several: in TypeScript those without a body,
 * in Python the one that runs. None for a single one.
 */
export function overloadsIn(text: string, name: string, language: string): readonly string[] {
  const family = languageFamily(language);
  if (family !== "python" && family !== "javascript") return [];
  const isPython = family === "python";
  const quoted = name.replace(/[^\w]/g, "\\$&");
  const start = isPython
    ? new RegExp(`^[ \\t]*(?:async[ \\t]+)?def[ \\t]+${quoted}[ \\t]*(?=[([])`, "gm")
    : new RegExp(`^[ \\t]*(?:[a-z]+[ \\t]+)*${quoted}\\??[ \\t]*(?=[<(])`, "gm");
  const indentation = /^[ \t]*/.exec(text)?.[0] ?? "";
  const starts = [...text.matchAll(start)].filter(
    ([found]) => (/^[ \t]*/.exec(found)?.[0] ?? "") === indentation,
  );
  if (starts.length < 2) return [];
  const parts = starts.map(({ index }, at) => text.slice(index, starts[at + 1]?.index));
  if (isPython) {
    const isAccessor = /^[ \t]*@\w+\.(?:setter|getter|deleter)\b/m.test(parts.join(""));
    return isAccessor ? [] : [headOf(parts.at(-1) ?? "")];
  }
  // Calls in a body may begin like a declaration.
  const declared = parts.slice(0, -1);
  if (
    declared.some((part) => /\{[ \t]*\n/.test(afterParameters(part)) && !/;\s*$/.test(plain(part)))
  )
    return [];
  const hasBody = /\}\s*$/.test(parts.at(-1) ?? "");
  return (hasBody ? declared : parts).map((part) => plain(part).replace(/;\s*$/, "").trim());
}

/** Without comments: those of the next declaration are before it. */
function plain(text: string): string {
  return text
    .replace(/\/\*[^]*?\*\//g, " ")
    .replace(/(?<=^|\s)\/\/[^\n]*/g, " ")
    .trim();
}

function afterParameters(part: string): string {
  const open = part.indexOf("(");
  return open === -1 ? "" : part.slice(endOfBrackets(part, open));
}

/** `def name(a, b) -> Type` of a definition in Python. */
function headOf(commented: string): string {
  const part = commented.replace(/(?<=\s)#[^\n]*/g, "");
  const end = endOfBrackets(part, part.indexOf("("));
  const result = /^[^:]*(?=:)/.exec(
    part.slice(end).replace(/\[[^\]]*\]/g, (inner) => inner.replaceAll(":", " ")),
  );
  return (part.slice(0, end) + (result?.[0] ?? "")).replace(/\s+/g, " ").trim();
}
