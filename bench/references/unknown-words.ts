// The words of a file whose meaning a language server does not know: code that `#if` leaves out, bodies of macros, members of a
// type that depends on a template parameter, explicit instantiations of templates, and what a header uses without its include.

export interface WordPlace {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

/** What a server does not know of a file. */
export interface UnknownWords {
  /** On each line the first place of a word, by word. Lines on which the server knows the word once are left out. */
  readonly words: ReadonlyMap<string, readonly WordPlace[]>;
  /** "line:column" of the names that depend on a template parameter. */
  readonly dependent: ReadonlySet<string>;
}

export interface TokenLegend {
  readonly tokenTypes: readonly string[];
  readonly tokenModifiers: readonly string[];
}

/** Reads the semantic tokens of a file, in the encoding of the protocol. */
export function unknownWords(
  text: string,
  data: readonly number[],
  legend: TokenLegend,
): UnknownWords {
  const { known, dependent } = readTokens(data, legend);
  const found = new Map<string, WordPlace[]>();
  for (const [index, content] of text.split("\n").entries()) {
    const line = index + 1;
    if (/^\s*(?:\*|#\s*include)/.test(content)) continue;
    // clangd has no references there.
    const isInstantiation = /^\s*(?:extern\s+)?template\s+(?!<)/.test(content);
    const first = new Map<string, WordPlace>();
    const resolved = new Set<string>();
    for (const { 0: word, index: at } of content.replace(/\/\/.*/, "").matchAll(/[A-Za-z_]\w*/g)) {
      if (!isInstantiation && known.has(`${line}:${at + 1}`)) resolved.add(word);
      else if (!first.has(word)) first.set(word, { line, column: at + 1 });
    }
    for (const [word, place] of first) {
      if (resolved.has(word)) continue;
      const places = found.get(word);
      if (places === undefined) found.set(word, [place]);
      else places.push(place);
    }
  }
  return { words: found, dependent };
}

/** Returns "line:column" of the names that the server has resolved, and of those that it guesses. */
function readTokens(
  data: readonly number[],
  { tokenTypes, tokenModifiers }: TokenLegend,
): { readonly known: ReadonlySet<string>; readonly dependent: ReadonlySet<string> } {
  // clangd shows code that `#if` leaves out as comments, and guesses members of dependent types.
  const unknownTypes = new Set([tokenTypes.indexOf("comment"), tokenTypes.indexOf("unknown")]);
  const bit = tokenModifiers.indexOf("dependentName");
  const dependent = new Set<string>();
  const known = new Set<string>();
  let line = 1;
  let column = 1;
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, columns = 0, , type = 0, modifiers = 0] = data.slice(at, at + 5);
    column = lines === 0 ? column + columns : columns + 1;
    line += lines;
    const isDependent = bit !== -1 && (modifiers & (1 << bit)) !== 0;
    if (isDependent) dependent.add(`${line}:${column}`);
    else if (!unknownTypes.has(type)) known.add(`${line}:${column}`);
  }
  return { known, dependent };
}
