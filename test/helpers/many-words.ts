/** Files with enough words that a segment with half of them is a separate file, not a row of the catalogue. */
export function manyWords(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: 8 }, (_, file) => {
      const words = Array.from({ length: 1500 }, (_none, at) =>
        `w${((at * 8 + file) * 2_654_435_761).toString(36)}`.slice(0, 9),
      );
      return [`words${file}.txt`, `${words.join("\n")}\n`];
    }),
  );
}
