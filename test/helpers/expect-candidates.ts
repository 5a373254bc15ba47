// The result of a scorer, in a form that can be compared with the expected one.

import { expect } from "vitest";

import type { Candidates } from "../../src/index/scoring/candidates.ts";
import {
  BLEND,
  BODY_BM25,
  FILE_BM25,
  FILE_TERM_COUNTS,
  NAMES_BM25,
} from "../../src/search/weights.ts";
import type { NaiveCandidates, NaiveFile } from "./naive-candidates.ts";

/** The candidates that `naive` counts. */
export const WEIGHTS = {
  body: BODY_BM25,
  names: NAMES_BM25,
  file: FILE_BM25,
  fileTerms: FILE_TERM_COUNTS,
  blend: BLEND,
};

/** All data of the candidates about files, with terms instead of bits. */
export async function shown({ files, terms }: Candidates): Promise<readonly NaiveFile[]> {
  const named = (bits: number): readonly string[] =>
    terms.flatMap(({ term }, at) => ((bits >>> at) & 1 ? term : [])).toSorted();
  return Promise.all(
    files.map(async ({ file, score, fileScore, pathTerms, chunkCount, chunks }) => {
      const all = await chunks();
      if (all.length !== chunkCount) throw new Error(`${all.length} chunks, not ${chunkCount}`);
      return {
        path: file.path,
        score,
        own: fileScore,
        pathTerms: named(pathTerms),
        chunks: all.map(({ facts, bodyTerms, namesTerms, ...shares }) => ({
          startLine: facts.startLine,
          ...shares,
          bodyTerms: named(bodyTerms),
          namesTerms: named(namesTerms),
        })),
      };
    }),
  );
}

/** The whole answer: files in the order of their paths, and whether the best came first. */
export async function picture(found: Candidates): Promise<unknown> {
  const files = await shown(found);
  return {
    isInOrder: files.every(({ score }, at) => score <= (files[at - 1]?.score ?? Infinity)),
    files: files.toSorted(byPath),
    terms: Object.fromEntries(found.terms.map(({ term, weight }) => [term, weight])),
    maxSimilarity: found.maxSimilarity,
  };
}

/** The expected `picture`: numbers may differ in their last digits. */
export function nearly({ files, terms, maxSimilarity }: NaiveCandidates): unknown {
  return {
    isInOrder: true,
    files: files.toSorted(byPath).map(({ score, own, chunks, ...rest }) => ({
      ...rest,
      score: near(score),
      own: near(own),
      chunks: chunks.map(({ body, names, similarity, ...facts }) => ({
        ...facts,
        body: near(body),
        names: near(names),
        similarity: near(similarity),
      })),
    })),
    terms: Object.fromEntries([...terms].map(([term, weight]) => [term, near(weight)])),
    maxSimilarity: near(maxSimilarity),
  };
}

function byPath({ path: one }: NaiveFile, { path: other }: NaiveFile): number {
  return one < other ? -1 : 1;
}

function near(value: number): unknown {
  return expect.closeTo(value, 4);
}
