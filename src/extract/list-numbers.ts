const ROMAN: readonly (readonly [number, string])[] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];
const MAX_ROMAN = 3999;
const LETTERS = 26;
const MAX_LETTERED = 10 * LETTERS;

/**
 * Returns the number of a list item in a format of office documents: "lowerLetter" and "upperRoman" of Word, "a" and "I"
 * of OpenDocument; digits in all others.
 */
export function countIn(format: string, count: number): string {
  switch (format) {
    case "lowerLetter":
    case "a":
      return letters(count);
    case "upperLetter":
    case "A":
      return letters(count).toUpperCase();
    case "lowerRoman":
    case "i":
      return roman(count);
    case "upperRoman":
    case "I":
      return roman(count).toUpperCase();
    default:
      return String(count);
  }
}

function letters(count: number): string {
  if (count < 1 || count > MAX_LETTERED) return String(count);
  const letter = String.fromCodePoint(0x61 + ((count - 1) % LETTERS));
  return letter.repeat(Math.ceil(count / LETTERS));
}

function roman(count: number): string {
  if (count < 1 || count > MAX_ROMAN) return String(count);
  let text = "";
  let rest = count;
  for (const [value, digits] of ROMAN) {
    while (rest >= value) {
      text += digits;
      rest -= value;
    }
  }
  return text;
}
