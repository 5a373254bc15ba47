import { isCode, unpackFacts } from "./segment/format.ts";
import type { LiveSegments } from "./segment/live-segments.ts";

/** Which kinds of files the index contains. */
export interface CorpusStats {
  /** Share of code and test files, 0 to 1. */
  readonly code: number;
  /** Share of the files by language, 0 to 1. */
  readonly languages: ReadonlyMap<string, number>;
}

/** Computes the shares over all files of a snapshot, including deleted ones. */
export function corpusStatsOf({ segments, files }: LiveSegments): CorpusStats {
  const all = Math.max(1, files);
  let code = 0;
  const languages = new Map<string, number>();
  for (const { reader } of segments) {
    const names = reader.directory.languages;
    const counts = new Uint32Array(names.length);
    for (const facts of reader.column("facts")) {
      if (isCode(facts)) code += 1;
      const { language } = unpackFacts(facts);
      counts[language] = (counts[language] ?? 0) + 1;
    }
    for (const [at, name] of names.entries()) {
      languages.set(name, (languages.get(name) ?? 0) + (counts[at] ?? 0) / all);
    }
  }
  return { code: code / all, languages };
}
