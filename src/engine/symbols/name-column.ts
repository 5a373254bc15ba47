/** Returns where a name begins in a line, from 1: as a whole word if possible, else the first character of the line's text. */
export function columnOfName(line: string, name: string): number {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_$]/u.test(line.charAt(at));
  let found = -1;
  for (let at = line.indexOf(name); name !== "" && at >= 0; at = line.indexOf(name, at + 1)) {
    if (found < 0) found = at;
    if (!isWord(at - 1) && !isWord(at + name.length)) return at + 1;
  }
  return 1 + (found < 0 ? Math.max(0, line.search(/\S/)) : found);
}
