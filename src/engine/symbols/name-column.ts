/** Returns where a name begins in a line, from 1: as a whole word if possible, else the first character of the line's text. */
export function columnOfName(line: string, name: string): number {
  const first = name === "" ? -1 : line.indexOf(name);
  for (let at = first; at >= 0; at = line.indexOf(name, at + 1)) {
    const around = line.charAt(at - 1) + line.charAt(at + name.length);
    if (!/[\p{L}\p{N}_$]/u.test(around)) return at + 1;
  }
  return 1 + (first < 0 ? Math.max(0, line.search(/\S/)) : first);
}
