import { maskedTexts } from "../../src/engine/files/masked-texts.ts";
import type { Source } from "../../src/sources/registry/records.ts";
import { localTexts } from "../../src/sources/text/local-texts.ts";
import type { TextReader } from "../../src/sources/text/port.ts";
import { authorized } from "./authorized.ts";

/** The texts of these sources, as queries read them. */
export function textsOf(sources: readonly Source[]): TextReader {
  return maskedTexts(localTexts().open(authorized("project"), sources));
}
