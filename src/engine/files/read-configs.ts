// Reads the files that locate modules.

import { CONFIG_FILE_NAMES } from "../../graph/modules/config-text.ts";
import type { IndexReader } from "../../index/port.ts";
import type { TextReader } from "../../sources/text/port.ts";

/** Returns what reads the files that the rules for modules need. */
export async function readConfigs(
  reader: Pick<IndexReader, "fileTree">,
  texts: Pick<TextReader, "prefetch">,
): Promise<(path: string) => string | undefined> {
  const { named } = await reader.fileTree();
  const readNow = await texts.prefetch(CONFIG_FILE_NAMES.flatMap(named));
  return (path) => {
    const text = readNow(path);
    return "problem" in text ? undefined : text.lines.join("\n");
  };
}
