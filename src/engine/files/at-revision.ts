// The data that a query reads, as of a commit: the texts, the list of files, and their symbols.

import { chunkFile } from "../../chunk/chunk.ts";
import type { IndexReader, NamedSymbol } from "../../index/port.ts";
import type { FileFacts, FileRow, SymbolFacts } from "../../index/types.ts";
import { fileRole, languageOf } from "../../scan/classify.ts";
import { openCommitTexts } from "../../sources/text/commit-texts.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { withProjectSettings } from "../indexing/project-settings.ts";
import { packedGrammars } from "../packed-grammars.ts";
import type { QueryContext } from "../query-context.ts";
import { textIfReadable } from "./current-file.ts";
import { maskedTexts } from "./masked-texts.ts";
import { shownPaths } from "./shown-paths.ts";

/** What queries of texts and places read of an index. */
type PlaceReader = Pick<
  IndexReader,
  | "version"
  | "partial"
  | "textCandidates"
  | "symbolsOf"
  | "symbolsNamed"
  | "symbolNames"
  | "file"
  | "fileTree"
  | "factsOf"
  | "pageRanks"
>;

/** As `QueryContext`, with the part of an index that a commit has. */
export interface PlaceContext extends Pick<QueryContext, "sources" | "texts"> {
  readonly reader: PlaceReader;
  /** Full id of the commit, by source; undefined for the present files. */
  readonly commits?: ReadonlyMap<Source, string>;
}

/** Files that git reads at once. */
const BATCH_FILES = 100;

/**
 * Returns the context of a query about a commit, branch or tag. A bare name is looked up in the index, and then in the files
 * of the commit that define it now. Throws the errors of `openCommitTexts`.
 */
export async function atRevision(
  { reader, sources }: Pick<QueryContext, "reader" | "sources">,
  revision: string,
  signal: AbortSignal,
): Promise<PlaceContext> {
  const commit = await openCommitTexts(sources, revision, signal);
  const texts = maskedTexts(commit.reader);
  const symbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    symbolsIn(path, commit.reader);
  let listed: Promise<readonly string[]> | undefined;
  const paths = (): Promise<readonly string[]> =>
    (listed ??= Promise.all([commit.paths(), withProjectSettings(sources)]).then(
      ([all, configured]) => all.filter(shownPaths(configured)),
    ));
  return {
    sources,
    texts,
    commits: new Map(commit.commits.map((one) => [one.source, one.commit])),
    reader: {
      version: reader.version,
      partial: [],
      symbolsOf,
      symbolsNamed: async (name, limit) => {
        const found: NamedSymbol[] = [];
        const hits = await reader.symbolsNamed(name, limit);
        for (const path of new Set(hits.map((hit) => hit.path))) {
          // oxlint-disable-next-line no-await-in-loop -- few files define one name
          const symbols = await symbolsOf(path);
          const own = symbols.flatMap((symbol, number) =>
            hits.some((hit) => hit.name === symbol.name) ? [{ ...symbol, path, number }] : [],
          );
          found.push(...own);
        }
        return found;
      },
      symbolNames: (prefix, limit) => reader.symbolNames(prefix, limit),
      fileTree: () => reader.fileTree(),
      factsOf: (path) => reader.factsOf(path),
      pageRanks: () => reader.pageRanks(),
      file: async (path) => ((await paths()).includes(path) ? rowOf(path) : undefined),
      async *textCandidates(_query, { after, filter }) {
        const wanted = (await paths()).filter(
          (path) => (after === undefined || path > after) && (filter?.(factsOf(path)) ?? true),
        );
        for (let at = 0; at < wanted.length; at += BATCH_FILES) {
          const batch = wanted.slice(at, at + BATCH_FILES);
          // oxlint-disable-next-line no-await-in-loop -- one batch after the other
          await commit.load(batch);
          for (const path of batch) yield factsOf(path);
        }
      },
    },
  };
}

async function symbolsIn(path: string, texts: TextReader): Promise<readonly SymbolFacts[]> {
  const file = await textIfReadable(texts, path);
  if (file === undefined || file.isBinary) return [];
  const text = file.lines.join("\n");
  const language = languageOf(path, text.slice(0, 200));
  return chunkFile({ path, language, text }, await packedGrammars()).symbols;
}

function factsOf(path: string): FileFacts {
  const language = languageOf(path);
  return { path, language: language ?? "", role: fileRole(path, language), flags: 0 };
}

function rowOf(path: string): FileRow {
  return {
    ...factsOf(path),
    source: 0,
    size: 0,
    mtimeMs: 0,
    inode: 0,
    hash: "",
    indexedMs: 0,
    stage: "listed",
    chunks: 0,
    symbols: 0,
    skipped: null,
    hasContent: false,
  };
}
