import { grammarFor, MAX_SHORT_CHARS } from "../../chunk/parse-with-grammar.ts";
import { COLOR_KINDS } from "../../parse/color-kinds.ts";
import { codeColors } from "../../parse/code-colors.ts";
import type { FileColors, FileRequest } from "../api/browse.ts";
import { packedGrammars } from "../packed-grammars.ts";
import { contextOfFile, openFile } from "./open-file.ts";

/** Returns the colors of a file by the grammar of its language. Throws as `openFile` and `contextOfFile` do. */
export async function colorFile(
  query: Parameters<typeof contextOfFile>[0],
  request: FileRequest,
): Promise<Omit<FileColors, "namespace">> {
  const { path } = request;
  const context = await contextOfFile(query, request);
  const { language, text, version } = await openFile(context, path);
  // Someone waits.
  if (language === undefined || text.length > MAX_SHORT_CHARS)
    return { version, kinds: COLOR_KINDS, pieces: undefined };
  const grammars = await packedGrammars();
  const grammar = grammarFor({ path, language, text });
  const parsed = grammars.parse(grammar, text, (root) => codeColors(root, text));
  return {
    version,
    kinds: COLOR_KINDS,
    pieces: parsed !== undefined && "value" in parsed ? parsed.value : undefined,
  };
}
