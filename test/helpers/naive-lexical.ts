// BM25 as the formulas have it (docs/ranking.md), counted without an index.

import { codedLength, lengthCode } from "../../src/index/format.ts";
import type { LexicalQuery } from "../../src/index/lexical.ts";
import type { FileInput } from "../../src/index/segment-writer.ts";
import { BLEND, BODY, FILE, FILE_TERMS, NAMES } from "../../src/search/weights.ts";
import { documentsOf, lengthOf } from "./segments.ts";

type Terms = LexicalQuery["terms"];

/** The files of one segment, with 1 for each that is dead. */
export interface Part {
  readonly files: readonly FileInput[];
  readonly dead: readonly number[];
}

/** A hit with its chunks, each by the line where it begins. */
export interface Hit {
  readonly path: string;
  readonly score: number;
  readonly best: number;
  readonly chunks: readonly (readonly [number, number, number])[];
}

function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** BM25 of documents whose lengths are `lengths` for terms that occur `counts` times in each. */
function bm25(
  { k1, b }: { k1: number; b: number },
  counts: ReadonlyMap<string, readonly number[]>,
  { lengths, average, terms }: { lengths: readonly number[]; average: number; terms: Terms },
): readonly number[] {
  const scores = lengths.map(() => 0);
  for (const [term, weight] of terms) {
    const frequencies = counts.get(term) ?? [];
    const documents = frequencies.filter((frequency) => frequency > 0).length;
    const idf = weight * inverseFrequency(lengths.length, documents);
    for (const [at, frequency] of frequencies.entries()) {
      if (frequency === 0) continue;
      const norm = k1 * (1 - b + (b * (lengths[at] ?? 0)) / Math.max(1e-9, average));
      scores[at] = (scores[at] ?? 0) + (idf * (k1 + 1) * frequency) / (frequency + norm);
    }
  }
  return scores;
}

/** The same without an index, from the formulas: living files with any score, in order of their numbers. */
export function naive(parts: readonly Part[], terms: Terms): readonly Hit[] {
  const files = parts.flatMap((part) => part.files);
  const dead = parts.flatMap((part) => part.dead);
  const owners = files.flatMap(({ chunks }, file) => chunks.map(() => file));
  const fields = { body: BODY, names: NAMES } as const;
  const scores = { body: owners.map(() => 0), names: owners.map(() => 0) };
  const documents = { body: documentsOf(files, "body"), names: documentsOf(files, "names") };
  for (const field of ["body", "names"] as const) {
    const lengths = documents[field].map(lengthOf);
    const counts = new Map(
      [...terms.keys()].map((term) => [
        term,
        documents[field].map((one) => Math.min(255, one.get(term) ?? 0)),
      ]),
    );
    scores[field] = [
      ...bm25(fields[field], counts, {
        lengths: lengths.map((length) => codedLength(lengthCode(length))),
        average: sum(lengths) / lengths.length,
        terms,
      }),
    ];
  }
  const fileLengths = files.map((_, file) =>
    sum(documents.body.filter((_one, at) => owners[at] === file).map(lengthOf)),
  );
  const paths = documentsOf(files, "path");
  const fileCounts = new Map(
    [...terms.keys()].map((term) => [
      term,
      files.map((_, file) => {
        const inPath = paths[file]?.get(term) ?? 0;
        const inChunks = owners.map((owner, at) =>
          owner === file
            ? Math.min(255, documents.body[at]?.get(term) ?? 0) +
              ((documents.names[at]?.get(term) ?? 0) > 0 ? FILE_TERMS.names : 0)
            : 0,
        );
        return Math.min(FILE_TERMS.cap * 4, sum(inChunks) + inPath * FILE_TERMS.path);
      }),
    ]),
  );
  const average = sum(fileLengths) / files.length;
  const fileScores = bm25(FILE, fileCounts, { lengths: fileLengths, average, terms });
  return files.flatMap(({ path, chunks }, file) => {
    if (dead[file] === 1 || (fileScores[file] ?? 0) === 0) return [];
    const base = owners.indexOf(file);
    const all = chunks.map(
      ({ startLine }, at) =>
        [
          startLine,
          share(scores.body, base + at, BLEND.body),
          share(scores.names, base + at, BLEND.names),
        ] as const,
    );
    const holding = all.filter(([, body, names]) => body + names > 0);
    return {
      path,
      score: share(fileScores, file, BLEND.file),
      best: Math.max(0, ...all.map(([, body, names]) => body + names)),
      chunks: holding.length > 0 ? holding : all.slice(0, 1),
    };
  });
}

/** What a score is of the best one, which counts `weight`. */
function share(values: readonly number[], at: number, weight: number): number {
  return (weight * (values[at] ?? 0)) / Math.max(1e-9, ...values);
}
