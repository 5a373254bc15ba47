// Explains in words why a passage is a result.

import type { Passage } from "../../engine/api/search.ts";
import { safeLine } from "./safe-text.ts";

type Explained = Pick<Passage, "confidence" | "signals" | "matches" | "symbol">;

/** Reasons for a lower score, by the name of the signal. */
const LOWERED: Readonly<Record<string, string>> = {
  tests: "a test, so lowered",
  docs: "documentation, so lowered",
  config: "configuration, so lowered",
  example: "an example, so lowered",
  vendored: "third-party code, so lowered",
  generated: "generated, so lowered",
  declarations: "only declarations, so lowered",
  changelog: "a changelog, so lowered",
  readme: "a README, so lowered",
};
/** Maximum words that one part names. */
const MAX_NAMED_WORDS = 5;

/** `relevance 87: its names have 2 of 3 words (revoke, token); its text has every word; a test, so lowered`. */
export function explanation({ confidence, signals, matches, symbol }: Explained): string {
  const { words, inNames, inText, inPath } = matches;
  const found = new Set([...inNames, ...inText, ...inPath]);
  const missing = words.filter((word) => !found.has(word));
  const isDefinition = signals["definition"] !== undefined && isNamed(symbol, words);
  const reasons = [
    ...(isDefinition ? ["it defines this name"] : matchText("its names have", inNames, words)),
    ...matchText("its text has", inText, words),
    ...matchText("its path has", inPath, words),
    ...(missing.length === 0 || found.size === 0 ? [] : [`nothing has ${listed(missing)}`]),
    ...(found.size === 0
      ? ["no word of the question, only a similar meaning"]
      : isCloseInMeaning(signals)
        ? ["the meaning is close"]
        : []),
    ...changesOf(signals),
    ...("below the best" in signals && !isDefinition ? ["not the best part of its file"] : []),
  ];
  return safeLine(`relevance ${relevanceOf({ confidence })}: ${reasons.join("; ")}`);
}

/** Returns the reasons that lowered and raised it. */
function changesOf(signals: Explained["signals"]): readonly string[] {
  const isRaised = (name: string): boolean => (signals[name] ?? 0) > 0;
  // The chance that someone wants to do something may outweigh the role.
  const isLifted = (signals["docs × intent"] ?? 0) > Math.abs(signals["docs"] ?? Infinity);
  return [
    ...Object.entries(LOWERED).flatMap(([name, text]) =>
      (signals[name] ?? 0) < 0 && !(name === "docs" && isLifted) ? [text] : [],
    ),
    ...("word for word" in signals ? ["first, because it contains the query word for word"] : []),
    ...(isRaised("asks how") ? ["raised, because the question asks how to do something"] : []),
    ...(isLifted ? ["documentation, because the question may ask how to do something"] : []),
    ...(isRaised("settings × intent")
      ? ["settings, because the question may ask how to set something"]
      : []),
    ...(isRaised("neighbours") ? ["raised, because similar files match too"] : []),
    ...(isRaised("original") ? ["raised, because a copy or translation of it matches better"] : []),
  ];
}

/** The confidence in a passage as a number from 0 to 100, the form for people. */
export function relevanceOf({ confidence }: Pick<Passage, "confidence">): number {
  return Math.round(confidence * 100);
}

function matchText(
  part: string,
  found: readonly string[],
  words: readonly string[],
): readonly string[] {
  if (found.length === 0) return [];
  if (words.length === 1) return [`${part} ${listed(words)}`];
  if (found.length === words.length) return [`${part} every word`];
  return [`${part} ${found.length} of ${words.length} words (${listed(found)})`];
}

function listed(words: readonly string[]): string {
  const rest = words.length - MAX_NAMED_WORDS;
  return `${words.slice(0, MAX_NAMED_WORDS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function isNamed(symbol: string, words: readonly string[]): boolean {
  return words.includes(symbol.slice(symbol.lastIndexOf(".") + 1));
}

/** Whether vectors contribute more to the score than words do. */
function isCloseInMeaning(signals: Explained["signals"]): boolean {
  let meaning = 0;
  let words = 0;
  for (const [name, value] of Object.entries(signals)) {
    if (/similarit/i.test(name)) meaning += value;
    else if (/text|name|path|coverage/i.test(name)) words += value;
  }
  return meaning > 0 && meaning >= words;
}
