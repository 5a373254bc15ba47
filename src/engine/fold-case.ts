/**
 * An expression without the `i` flag that matches what `source` matches with it: each letter becomes a
 * class of its cases. V8's linear engine does not know the flag. `source` is a valid expression whose
 * groups are plain or `(?:`.
 */
export function foldCase(source: string): string {
  let folded = "";
  let at = 0;
  while (at < source.length) {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (character === "\\") {
      folded += source.slice(at, at + 2);
      at += 2;
    } else if (character === "[") {
      const end = classEnd(source, at);
      folded += foldClass(source.slice(at, end));
      at = end;
    } else {
      const cases = casesOf(character);
      folded += cases.length > 1 ? `[${cases.join("")}]` : character;
      at += character.length;
    }
  }
  return folded;
}

/** Offset behind the `]` of a class that begins at `start`. */
function classEnd(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== "]") at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Adds to a class the other cases of its letters and of its ranges of letters. */
function foldClass(text: string): string {
  const items = text.match(/\\.|[^\\]-[^\\\]]|[^\\]/gsu) ?? [];
  const more = items.flatMap((item) => {
    const [first = "", dash, last] = Array.from(item);
    if (first === "\\") return [];
    if (dash !== "-" || last === undefined) return casesOf(first).filter((one) => one !== first);
    const [lower, upper] = [item.toLowerCase(), item.toUpperCase()];
    return /^[a-z]-[a-z]$/i.test(item) ? [lower, upper].filter((one) => one !== item) : [];
  });
  return `${text.slice(0, -1)}${more.join("")}]`;
}

function casesOf(character: string): readonly string[] {
  const cases = [character.toLowerCase(), character.toUpperCase()];
  // A letter whose other case is several letters (ß, SS) stays as it is, as with the flag.
  return [...new Set(cases)].every((one) => Array.from(one).length === 1)
    ? [...new Set(cases)]
    : [character];
}
