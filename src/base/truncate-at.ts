/** Returns the first `length` code units, one less if that would cut a surrogate pair. */
export function truncateAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
