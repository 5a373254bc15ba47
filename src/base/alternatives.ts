/** Returns words as a choice: `code, docs or tests`. */
export function alternatives(words: readonly string[]): string {
  const [last = "", ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}
