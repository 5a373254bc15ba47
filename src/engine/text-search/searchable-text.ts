import type { TextReader } from "../../sources/text/port.ts";
import type { SourceText } from "../../sources/text/source-text.ts";
import { textIfReadable } from "../files/current-file.ts";

export interface SearchableText {
  /** The text with "\n" for "\r\n". */
  readonly text: string;
  /** True for ASCII without "\r". */
  readonly isPlain: boolean;
  readonly sizeBytes: number;
  readonly document: SourceText["document"];
}

/** Returns the text of a file to search in; undefined if it has none or is binary. */
export async function searchableText(
  texts: TextReader,
  path: string,
): Promise<SearchableText | undefined> {
  const file = await textIfReadable(texts, path);
  if (file === undefined || file.isBinary) return undefined;
  const { text, isAscii, sizeBytes, document } = file;
  if (!text.includes("\r")) return { text, isPlain: isAscii, sizeBytes, document };
  const unified = text.replaceAll("\r\n", "\n");
  return { text: unified, isPlain: isAscii && !unified.includes("\r"), sizeBytes, document };
}
