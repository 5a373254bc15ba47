// The lines of a file that only import: they are counted separately.

const STATEMENTS: Readonly<Record<string, RegExp | undefined>> = {
  py: /^[ \t]*(?:from[ \t]+\S+[ \t]+)?import[ \t]+(?:\([^)]*\)|.*)$/gm,
  php: /^use\s[^;]*;/gm,
  rs: /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s[^;]*;/gm,
  cc: /^[ \t]*using\s+[\w:]+;/gm,
};

/** 1-based. */
export function importLines(path: string, text: string): ReadonlySet<number> {
  const statement = STATEMENTS[path.slice(path.lastIndexOf(".") + 1)];
  const lines = new Set<number>();
  if (statement === undefined) return lines;
  for (const { index, 0: found } of text.matchAll(statement)) {
    const first = text.slice(0, index).split("\n").length;
    const count = found.split("\n").length;
    for (let at = 0; at < count; at += 1) lines.add(first + at);
  }
  return lines;
}
