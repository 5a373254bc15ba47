import { isCode, packedLanguage } from "./coding/packed-facts.ts";
import type { ScoredSegments } from "./scoring/scored-segments.ts";

/** Which kinds of files the index contains. */
export interface CorpusStats {
  /** Number of files. */
  readonly files: number;
  /** Share of code and test files, 0 to 1. */
  readonly code: number;
  /** Share of the files by language, 0 to 1. */
  readonly languages: ReadonlyMap<string, number>;
}

/** Computes the shares over the files of a snapshot that are not deleted. */
export function corpusStatsOf({ segments }: ScoredSegments): CorpusStats {
  let code = 0;
  let files = 0;
  const counts = new Map<string, number>();
  for (const { reader, tombstones } of segments) {
    const names = reader.directory.languages;
    const inSegment = new Uint32Array(names.length);
    const column = reader.column("facts");
    // Without an object for each file: a question in a new process waits for this.
    for (let file = 0; file < column.length; file += 1) {
      if (tombstones[file] === 1) continue;
      const facts = column[file] ?? 0;
      files += 1;
      if (isCode(facts)) code += 1;
      const language = packedLanguage(facts);
      inSegment[language] = (inSegment[language] ?? 0) + 1;
    }
    for (const [at, name] of names.entries()) {
      const inThis = inSegment[at] ?? 0;
      if (inThis > 0) counts.set(name, (counts.get(name) ?? 0) + inThis);
    }
  }
  // Divided at the end: sums of shares would depend on how the files are divided into segments.
  const all = Math.max(1, files);
  const languages = new Map(Array.from(counts, ([name, count]) => [name, count / all]));
  return { files, code: code / all, languages };
}

/** Returns the shares over several parts of an index. */
export function joinCorpusStats(parts: readonly CorpusStats[]): CorpusStats {
  const counts = new Map<string, number>();
  let code = 0;
  let files = 0;
  for (const part of parts) {
    files += part.files;
    // Shares are quotients of whole numbers, so the counts come back exactly.
    code += Math.round(part.code * part.files);
    for (const [name, share] of part.languages) {
      counts.set(name, (counts.get(name) ?? 0) + Math.round(share * part.files));
    }
  }
  const all = Math.max(1, files);
  const languages = new Map(Array.from(counts, ([name, count]) => [name, count / all]));
  return { files, code: code / all, languages };
}
