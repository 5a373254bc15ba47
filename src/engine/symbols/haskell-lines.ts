// How constructors and fields of Haskell are written, which mostly share a line with their type.
import type { SymbolFacts } from "../../index/types.ts";

const OPENERS = "([{";
const CLOSERS = ")]}";
const WORD = /[\p{L}\p{N}_']/u;

/** Longer lines are data. */
const MAX_CHARS = 1000;
/** Matches documentation after what it describes: `size :: Int -- ^ The number of bytes.` */
const DOC_AFTER = /--+\s*\^\s*(.*)$/;

/** Returns `Circle Double` of `data Shape = Circle Double | Square`, and `x :: Int` of `Point {x :: Int, y :: Int}`; "" if not found. */
export function partOfType(
  line: string,
  { name, kind }: Pick<SymbolFacts, "name" | "kind">,
): string {
  const text = line.slice(0, MAX_CHARS).replace(/\s--.*$/, "");
  const start = startOf(text, name, kind === "field" ? "{," : "=|");
  if (start === -1) return "";
  const stop = kind === "field" ? "," : "|";
  let depth = 0;
  let end = start;
  for (; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (OPENERS.includes(character)) depth += 1;
    if (CLOSERS.includes(character)) depth -= 1;
    if (depth < 0 || (depth === 0 && character === stop && end > start + name.length)) break;
  }
  return text
    .slice(start, end)
    .replace(/\bderiving\b.*$/, "")
    .replace(/\{[^}]*$/, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns the documentation after a definition on its line or the next one; "" if there is none. */
export function docAfter(lines: readonly string[], nameLine: number): string {
  const own = DOC_AFTER.exec(lines[nameLine - 1] ?? "")?.[1];
  if (own !== undefined) return own;
  const next = lines[nameLine]?.trimStart() ?? "";
  return next.startsWith("--") ? (DOC_AFTER.exec(next)?.[1] ?? "") : "";
}

/** Returns where the name is as a whole word after one of the signs, or at the beginning of an infix constructor; -1 if nowhere. */
function startOf(text: string, name: string, signs: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (WORD.test(text.charAt(at + name.length)) && WORD.test(name.charAt(name.length - 1)))
      continue;
    const before = text.slice(0, at).replace(/\s*(?:forall\b[^.=|]*\.\s*)?$/, "");
    if (before !== "" && signs.includes(before.charAt(before.length - 1))) return at;
  }
  return -1;
}
