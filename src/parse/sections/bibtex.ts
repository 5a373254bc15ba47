// The entries of BibTeX: one section for each work, with its key as the name.
import type { TextLines } from "../text-lines.ts";
import { labelEntry, type Entry, type FoundParts } from "./section-parts.ts";

const ENTRY = /^\s*@([A-Za-z]+)\s*[{(]\s*([^\s,{}()=]+)\s*([,=]|$)/;
const AT = 64;
const MAX_LINE_CHARS = 1000;

/** Finds the entries of BibTeX. An entry ends before the next one. */
export function bibtexParts(lines: TextLines): FoundParts {
  const entries: Entry[] = [];
  let open: Pick<Entry, "line" | "name"> | undefined;
  const close = (nextLine: number): void => {
    if (open === undefined) return;
    let endLine = nextLine - 1;
    while (endLine > open.line && lines.isBlank(endLine)) endLine -= 1;
    entries.push({ ...open, endLine, owner: undefined, kind: "section", isInline: false });
    open = undefined;
  };
  for (let line = 1; line <= lines.count; line += 1) {
    const first = lines.firsts[line - 1] ?? 0;
    if (lines.text.charCodeAt(first) !== AT || lines.endOf(line) - first > MAX_LINE_CHARS) continue;
    const [, type = "", key, after] = ENTRY.exec(lines.at(line)) ?? [];
    close(line);
    if (key === undefined || /^(?:comment|preamble)$/i.test(type)) continue;
    // `@string{name = "…"}` is an abbreviation.
    if (after === "=" || type.toLowerCase() === "string") entries.push(labelEntry(line, key));
    else open = { line, name: key };
  }
  close(lines.count + 1);
  return { headings: [], verbatim: new Uint8Array(lines.count + 2), entries };
}
