/** The first `length` code units, one less where that would cut a surrogate pair. */
export function truncateAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
