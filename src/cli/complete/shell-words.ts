import type { CompletionCandidate } from "./complete-words.ts";
import type { Shell } from "./scripts.ts";

/** The words of the command line, from those that the shell's script passes. */
export function wordsOf(shell: Shell, passed: readonly string[]): readonly string[] {
  if (shell === "powershell") return [...passed.slice(0, -1), (passed.at(-1) ?? "").slice(1)];
  return shell === "bash" ? joinedAtEquals(passed) : passed;
}

/** The part of the candidate that replaces the last word, as the shell splits words. */
export function shownIn(
  shell: Shell,
  { word }: CompletionCandidate,
  passed: readonly string[],
): string {
  if (shell !== "bash" || !passed.slice(-2).includes("=")) return word;
  return word.slice(word.indexOf("=") + 1);
}

/** Bash splits `--kind=code` into three words (COMP_WORDBREAKS). */
function joinedAtEquals(passed: readonly string[]): string[] {
  const words: string[] = [];
  for (const [at, word] of passed.entries()) {
    const flag = words.at(-1);
    const isTail = flag?.startsWith("--") === true && (word === "=" || passed[at - 1] === "=");
    if (isTail) words.splice(-1, 1, flag + word);
    else words.push(word);
  }
  return words;
}
