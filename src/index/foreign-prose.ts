// Which files get terms for the inflected forms of their words.

import { isForeignLatin } from "../base/prose-language.ts";
import type { FileInput } from "./types.ts";

/** The beginning of a file shows its language. */
const SAMPLE_BYTES = 6000;

/** Whether a file is documentation in another language than English with Latin letters. */
export function isForeignProse({ role, bytes }: Pick<FileInput, "role" | "bytes">): boolean {
  return role === "docs" && isForeignLatin(bytes.toString("utf8", 0, SAMPLE_BYTES));
}
