import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { ALL } from "../../src/index/literal-query.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { rank } from "../../src/search/rank.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { authorized } from "../../test/helpers/authorized.ts";

const tokenizer = createTokenizer();

/** Every file with its hash and its symbols, and the results of word searches: the same for two equal indexes. */
export async function contentOf(
  dataDirectory: string,
  namespace: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const backend = new EmbeddedBackend(dataDirectory);
  try {
    const reader = await backend.reader(authorized(namespace));
    if (reader === undefined) return [];
    const lines: string[] = [];
    for await (const { path, language, role } of reader.textCandidates(ALL, {})) {
      const { hash, stage, chunks } = (await reader.file(path)) ?? {};
      const symbols = JSON.stringify(await reader.symbolsOf(path));
      lines.push([path, language, role, hash, stage, chunks, symbols].join(" "));
    }
    for (const word of words) {
      const { files } = await rank(reader, parseQuery(word, tokenizer), { limit: 5 });
      lines.push(`${word}: ${files[0]?.file.path ?? ""}`);
    }
    return lines;
  } finally {
    backend.close();
  }
}
