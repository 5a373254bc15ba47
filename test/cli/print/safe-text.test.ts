import { expect, test } from "vitest";

import { safeLine, safeText } from "../../../src/cli/print/safe-text.ts";
import { promise, sized } from "../../trust/promise.ts";

test.each([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["cursor movement", "a\u001b[2Ab\u001b[1;1Hc", "abc"],
  ["a cleared screen", "\u001b[2J\u001b[3Jx", "x"],
  ["a private mode", "\u001b[?1049hx", "x"],
  ["an 8-bit sequence", "\u009b31mx", "x"],
  ["a hyperlink", "\u001b]8;;http://evil.test\u0007text\u001b]8;;\u0007", "text"],
  ["a clipboard write", "\u001b]52;c;ZXZpbA==\u001b\\x", "x"],
  ["a window title that never ends", "\u001b]0;title\nx", "\nx"],
  ["a device control string", "\u001bPq#0\u001b\\x", "x"],
  ["a character set choice", "\u001b(0x", "x"],
  ["a full reset", "\u001bcx", "x"],
  ["a lone escape", "x\u001b", "x"],
  ["an escape made by removal", "\u001b\u001b[0m[31mx", "[31mx"],
  ["a line drawn over", "safe\rEVIL", "safeEVIL"],
  ["backspaces", "a\b\bb", "ab"],
  ["a bell and NUL", "\u0007\u0000x\u007f", "x"],
  ["bidi overrides", "access\u202e level\u2066 x\u2069", "access level x"],
  ["bidi marks", "a\u200eb\u200fc\u061cd", "abcd"],
])("%s do not pass", (_what, given, expected) => {
  expect(safeText(given)).toBe(expected);
});

/** The parts of escape sequences, and texts that could hide them. */
const PIECES = [
  "\u001b \u009b \u009d \u0090 \u009c \u0007 \u001b\\ \r \b \u0000 \u202e \u2066 \u200f",
  "[ ] ]8;; [2J [31 m ; ? 0 P ( c x é 日本 \n \t",
].flatMap((pieces) => pieces.split(" "));

promise(
  [32],
  "nothing in indexed text moves the cursor, sets the clipboard or reorders a terminal",
  () => {
    const tries = sized({ quick: 20_000, full: 1_000_000, soak: 20_000_000 });
    let state = 1;
    // A linear congruence (Numerical Recipes): the same texts each time.
    const next = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let done = 0; done < tries; done += 1) {
      const text = Array.from({ length: 1 + next(10) }, () => PIECES[next(PIECES.length)]).join("");
      if (/[\p{Cc}\p{Bidi_Control}]/u.test(safeText(text).replaceAll(/[\n\t]/g, ""))) {
        expect.fail(JSON.stringify(text));
      }
    }
    return tries;
  },
);

test("ordinary text does not change", () => {
  const text = 'fn main() {\n\tlet é = "日本 👩‍👩‍👧 שלום";\n}';
  expect(safeText(text)).toBe(text);
});

test("Windows line ends become plain ones", () => {
  expect(safeText("a\r\nb")).toBe("a\nb");
});

test("a safe line has no breaks", () => {
  expect(safeLine("a\r\n\tb\u2028c")).toBe("a b c");
});
