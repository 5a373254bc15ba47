import { isDocumentation } from "../../base/documents/document-formats.ts";
import type { FileReferences } from "../../parse/references/references.ts";
import { createTokenizer, scanWords, withPrefixes, type Tokenizer } from "../../parse/tokenizer.ts";
import { foldText } from "../fold-text.ts";
import { isForeignProse } from "../foreign-prose.ts";
import { pathTexts } from "../path-texts.ts";
import type { ChunkFacts, EncodedFileInput, FileFacts, FileInput, SymbolFacts } from "../types.ts";
import { isEncoded } from "../references/encoded-references.ts";
import { readReferences } from "../references/reference-block.ts";
import { inUseOrder } from "../references/use-order.ts";
import { usedTerms } from "../references/used-terms.ts";
import { symbolFacts } from "../symbol-facts.ts";
import { VectorWriter, type Embedder } from "../vectors/vector-writer.ts";

/** The terms of a document and how often each occurs. */
export type TermCounts = ReadonlyMap<string, number>;

/** The content of a file: all that readers return of it, and the terms by which they find it. */
export interface IndexedContent {
  readonly facts: FileFacts;
  readonly chunks: readonly ChunkFacts[];
  readonly symbols: readonly SymbolFacts[];
  /** With uses in the order of `inUseOrder`. */
  readonly references: FileReferences;
  /** The text, folded by `foldText`. */
  readonly foldedText: string;
  /** Terms of the text of each chunk. */
  readonly bodyTerms: readonly TermCounts[];
  /** Terms of the names that each chunk defines. */
  readonly namesTerms: readonly TermCounts[];
  readonly pathTerms: TermCounts;
  /** See `usedTerms`. */
  readonly usedTerms: ReadonlySet<string>;
  /** Id of the embedding table of the writer; "" if it had none. */
  readonly embedder: string;
  /** The vectors of all chunks, one after the other; undefined if they have none. */
  readonly vectors: Uint8Array | undefined;
}

const tokenizer = createTokenizer();
const foreignTokenizer = withPrefixes(tokenizer);

export function indexedContent(
  file: FileInput | EncodedFileInput,
  embedder: Embedder | undefined,
): IndexedContent {
  const { path, language, role, flags } = file;
  const references = isEncoded(file.references)
    ? readReferences(file.references.block)
    : file.references;
  const lines = (file.maskedBytes ?? file.bytes).toString().split("\n");
  const texts = file.chunks.map(({ startLine, endLine }) => lines.slice(startLine - 1, endLine));
  const ofText = isForeignProse(file) ? foreignTokenizer : tokenizer;
  return {
    facts: { path, language, role, flags },
    chunks: file.chunks.map(({ startLine, endLine, kind, symbol, names }) => ({
      startLine,
      endLine,
      kind,
      symbol,
      names,
    })),
    symbols: file.symbols.map(symbolFacts),
    references: inUseOrder(references),
    foldedText: foldText(file.bytes.toString()),
    bodyTerms: texts.map((text) => countTerms(text, ofText)),
    namesTerms: file.chunks.map(({ names }) => countTerms(names, ofText)),
    pathTerms: countTerms(pathTexts(path), tokenizer),
    usedTerms: usedTerms(references),
    embedder: embedder?.id ?? "",
    vectors:
      embedder === undefined || !file.isFinal
        ? undefined
        : vectorsOf(path, embeddedTexts(file, texts), embedder),
  };
}

function countTerms(texts: readonly string[], { terms }: Tokenizer): TermCounts {
  const counts = new Map<string, number>();
  for (const text of texts) {
    terms(text, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  }
  return counts;
}

/** The lines of each chunk, with the names of documentation: a page of a document lacks the headings above it. */
function embeddedTexts(
  file: FileInput | EncodedFileInput,
  texts: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  if (!isDocumentation(file)) return texts;
  return texts.map((lines, at) => [...lines, ...(file.chunks[at]?.names ?? [])]);
}

/** Returns the vectors of chunks, given the lines of each. */
function vectorsOf(
  path: string,
  chunks: readonly (readonly string[])[],
  embedder: Embedder,
): Uint8Array {
  const writer = new VectorWriter(embedder);
  writer.beginFile(path);
  for (const lines of chunks) {
    for (const line of lines) scanWords(line, (word) => writer.countText(word));
    writer.finishChunk();
  }
  return writer.finish().slice();
}
