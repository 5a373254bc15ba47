// node scripts/ranking/documents.ts --documents DIR [--dry]
// Learns src/search/document-weights.json, the weights that the model of documents adds to the model of all files. It
// learns from the questions of bench/documents of the set `develop`, from further ones that are only for learning, and
// from questions about the code next to the documents, which documents must not answer. Prints the quality for each
// set; it never learns from `judge`. docs/ranking.md has the figures.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { readManifest } from "../../bench/documents/manifest.ts";
import { DOCS, mixedProject } from "../../bench/documents/project.ts";
import {
  readCodeQuestions,
  readFurtherQuestions,
  readLearningQuestions,
  readQuestions,
  type DocumentQuestion,
} from "../../bench/documents/questions.ts";
import {
  htmlHeadings,
  isRightPlace,
  type LinesOfHeading,
} from "../../bench/documents/right-place.ts";
import { documentPlace, linesInPart } from "../../src/base/documents/places.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { CHUNK_FEATURES, FILE_FEATURES } from "../../src/search/features.ts";
import { parseQuery, type Query } from "../../src/search/parse-query.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { rerankCandidates, type RerankedFile } from "../../src/search/rank.ts";
import {
  CHUNK_WEIGHTS,
  isRankedByPassages,
  RANKING_FEATURES,
  RANKING_WEIGHTS,
  scoreFeatures,
} from "../../src/search/ranking-model.ts";
import { bestLine } from "../../src/search/select-lines.ts";
import { MAX_CHUNKS_PER_FILE, MAX_SCORE_GAP } from "../../src/search/weights.ts";
import { documentFiles } from "../../src/sources/text/document-store.ts";
import { localTexts } from "../../src/sources/text/local-texts.ts";
import type { TextReader } from "../../src/sources/text/port.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { sourceAt } from "../../test/helpers/indexed-tree.ts";
import { indexOnce, NAMESPACE } from "./collect-setup.ts";
import { fit, scoresOf, type Group } from "./linear-model.ts";

const PRODUCT = join(import.meta.dirname, "../../src/search/document-weights.json");
/** The learned weights. The others come from the model of all files, because there are few questions. */
const LEARNED_CHUNK = [
  "chunkText",
  "textCoverage",
  "chunkCoverage",
  "nameOverlap",
  "isSection",
  "textCoverage × intent",
  "chunkCoverage × intent",
];
const LEARNED_RANKING = ["fileText", "bestSimilarity", "coverage", "chunks"];
/**
 * The score as if the passage were the best one of its file, by the weights that order files; that by the weights which
 * choose the chunks of a file; those of the file and the bias, those of the chunk and its rarity.
 */
const SIZE = 2 + LEARNED_RANKING.length + 1 + LEARNED_CHUNK.length + 1;
const BIAS = 2 + LEARNED_RANKING.length;
const CANDIDATES = 40;
/** How many of the 49 questions about code may lose their place among the first three to documents. */
const MAX_LOST_CODE = 2;
const BIAS_STEP = 0.1;
/**
 * The weight of a question by its set: those of `develop` are closer to real questions and were written with more care.
 */
const QUESTION_WEIGHTS = { develop: 1, learn: 0.5, code: 0.5, judge: 0, further: 0 };
const FIT = { rigidity: 0.0005, epochs: 300 };
/** The weight of each of several right passages depends on the learned weights. */
const ROUNDS = 3;

type AskedSet = keyof typeof QUESTION_WEIGHTS;

/** A passage of a document. */
interface Passage {
  readonly features: readonly number[];
  readonly rarity: number;
  /** Whether the answer is right with this passage. */
  readonly isRight: boolean;
  /** As above, but an entry in a table of contents does not count as the heading. */
  readonly isAnswer: boolean;
}

interface Candidate {
  readonly features: readonly number[];
  /** Whether it is the right file; in a document, the passage decides. */
  readonly isRight: boolean;
  /** Empty for files that are no documents. */
  readonly passages: readonly Passage[];
}

interface Asked {
  readonly set: AskedSet;
  readonly candidates: readonly Candidate[];
}

/** In the order of `SIZE`. */
type Weights = readonly number[];

const NONE: Weights = [1, ...Array.from({ length: SIZE - 1 }, () => 0)];

const { values } = parseArgs({
  options: { documents: { type: "string" }, dry: { type: "boolean", default: false } },
});
if (values.documents === undefined) throw new Error("documents.ts: --documents is needed.");
await learn(values.documents, values.dry);

async function learn(documents: string, isDry: boolean): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "svc-ranking-documents-"));
  try {
    const root = mixedProject(work, documents, readManifest());
    const asked = await askAll(root, join(work, "index"));
    const learned = withoutHarm(
      learnedFrom(asked.filter(({ set }) => QUESTION_WEIGHTS[set] > 0)),
      asked.filter(({ set }) => set === "code"),
    );
    for (const set of ["develop", "judge", "further", "learn", "code"] as const) {
      const of = asked.filter((one) => one.set === set);
      console.log(`${set}: ${amongThree(of, NONE)} -> ${amongThree(of, learned)} of ${of.length}`);
    }
    const product = {
      chunkShare: rounded(learned[1] ?? 0),
      chunk: named(LEARNED_CHUNK, learned.slice(BIAS + 1)),
      ranking: named(LEARNED_RANKING, learned.slice(2)),
      bias: rounded(learned[BIAS] ?? 0),
      rarityInDocument: rounded(learned.at(-1) ?? 0),
    };
    if (!isDry) writeFileSync(PRODUCT, `${JSON.stringify(product, null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Learns the weights with which the right passages come first. */
function learnedFrom(asked: readonly Asked[]): Weights {
  const isFixed = NONE.map((_, at) => at === 0);
  let weights = NONE;
  for (let round = 0; round < ROUNDS; round += 1) {
    const groups = asked.flatMap((one) => groupOf(one, weights) ?? []);
    weights = fit(groups, { ...FIT, expected: NONE, isFixed });
  }
  return weights;
}

/** Lowers the bias until documents hardly displace code. */
function withoutHarm(learned: Weights, code: readonly Asked[]): Weights {
  const wanted = amongThree(code, NONE) - MAX_LOST_CODE;
  let weights = learned;
  while (amongThree(code, weights) < wanted) {
    weights = weights.with(BIAS, (weights[BIAS] ?? 0) - BIAS_STEP);
  }
  return weights;
}

/** The input of `askAll`. */
interface Question extends DocumentQuestion {
  readonly set: AskedSet;
}

function allQuestions(): readonly Question[] {
  const learning = readLearningQuestions().map((one) => ({ ...one, set: "learn" as const }));
  const code = readCodeQuestions().map((one) => ({ ...one, set: "code" as const }));
  return [...readQuestions(), ...readFurtherQuestions(), ...learning, ...code];
}

async function askAll(root: string, data: string): Promise<readonly Asked[]> {
  const source = sourceAt(root, { namespace: NAMESPACE });
  await indexOnce(source, data);
  const index = new EmbeddedBackend(data);
  const reader = await index.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error(`no index in ${data}`);
  const store = documentFiles((name) => indexLayout(data, name).documents);
  const texts = localTexts(store).open(authorized(NAMESPACE), [source]);
  const embedder = new QueryEmbedder(packedEmbeddings);
  const tokenizer = createTokenizer();
  const asked: Asked[] = [];
  for (const question of allQuestions()) {
    const query = parseQuery(question.question, tokenizer);
    const vector = embedder.embed(query.embeddingText);
    const nameSimilarity = (name: string): number =>
      vector === undefined ? 0 : embedder.nameSimilarity(name, vector);
    const embedding = vector && { vector, nameSimilarity };
    // eslint-disable-next-line no-await-in-loop -- one question after the other
    const { reranked } = await rerankCandidates(reader, query, { limit: CANDIDATES, embedding });
    const right = question.set === "code" ? question.document : `${DOCS}/${question.document}`;
    const candidates = reranked.map(async (file): Promise<Candidate> => {
      const isRight = file.file.path === right;
      const passages = isRankedByPassages(file.file)
        ? await passagesOf(file, isRight ? { question, query, texts } : undefined)
        : [];
      return { features: file.features, isRight, passages };
    });
    // eslint-disable-next-line no-await-in-loop -- as above
    asked.push({ set: question.set, candidates: await Promise.all(candidates) });
  }
  index.close();
  return asked;
}

/** The passages of a document; without `asked`, none of them is right. */
async function passagesOf(
  { file, chunks }: RerankedFile,
  asked: { question: Question; query: Query; texts: TextReader } | undefined,
): Promise<readonly Passage[]> {
  const isPlace = asked === undefined ? undefined : await rightPlaces(file.path, asked);
  return chunks.map(({ chunk: { facts }, features, rarity }) => ({
    features,
    rarity,
    isRight: isPlace?.(facts, true) ?? false,
    isAnswer: isPlace?.(facts, false) ?? false,
  }));
}

interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

/** Returns whether lines of the right document answer; `byText`: also if they have the text of a heading. */
async function rightPlaces(
  path: string,
  { question, query, texts }: { question: Question; query: Query; texts: TextReader },
): Promise<(lines: Lines, byText: boolean) => boolean> {
  const read = await texts.read(path);
  if ("problem" in read) throw new Error(`${path} is ${read.problem}`);
  const headings: LinesOfHeading = path.endsWith(".html")
    ? htmlHeadings(read.text)
    : () => undefined;
  return (facts, byText) => {
    const { startLine, endLine } = facts;
    const lines = read.lines.slice(startLine - 1, endLine);
    const part =
      read.document && linesInPart(read.document, facts, startLine + bestLine(lines, query));
    const place = part && documentPlace(question.document, read.document, part);
    const text = byText || question.headings === undefined ? lines.join("\n") : "";
    const result = { path: question.document, start_line: startLine, end_line: endLine };
    return isRightPlace(question, { ...result, place, text }, headings);
  };
}

/** A result that an answer may have. */
interface Result {
  readonly features: Weights;
  readonly isRight: boolean;
  readonly isAnswer: boolean;
}

/** The results of a file. */
function resultsOf({ features, isRight, passages }: Candidate): readonly Result[] {
  if (passages.length === 0) {
    const own = [scoreFeatures(features, RANKING_WEIGHTS), ...NONE.slice(1)];
    return [{ features: own, isRight, isAnswer: isRight }];
  }
  const known = LEARNED_RANKING.map((name) => features[RANKING_FEATURES.indexOf(name)] ?? 0);
  return passages.map((passage) => {
    const asBest = [...features];
    asBest.splice(FILE_FEATURES.length, CHUNK_FEATURES.length, ...passage.features);
    const scores = [
      scoreFeatures(asBest, RANKING_WEIGHTS),
      scoreFeatures(passage.features, CHUNK_WEIGHTS),
    ];
    return { ...passage, features: [...scores, ...known, 1, ...learnedOf(passage)] };
  });
}

/** Those that an answer shows. */
function shownOf(candidate: Candidate, weights: Weights): readonly (Result & { score: number })[] {
  const ordered = resultsOf(candidate)
    .map((result) => ({ ...result, score: scoreFeatures(result.features, weights) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_CHUNKS_PER_FILE);
  const best = ordered[0]?.score ?? 0;
  return ordered.filter(({ score }) => score >= best - MAX_SCORE_GAP);
}

function learnedOf({ features, rarity }: Passage): readonly number[] {
  const names: readonly string[] = CHUNK_FEATURES;
  return [...LEARNED_CHUNK.map((name) => features[names.indexOf(name)] ?? 0), rarity];
}

/** Undefined if no result is right. Each of several right results counts according to the weights. */
function groupOf({ set, candidates }: Asked, weights: Weights): Group | undefined {
  const results = candidates.flatMap(resultsOf);
  if (results.every(({ isAnswer }) => !isAnswer)) return undefined;
  const features = Float32Array.from(results.flatMap((result) => result.features));
  const scores = scoresOf(features, weights);
  const top = Math.max(...scores);
  const powers = results.map(({ isAnswer }, at) =>
    isAnswer ? Math.exp((scores[at] ?? 0) - top) : 0,
  );
  const sum = Math.max(
    Number.MIN_VALUE,
    powers.reduce((one, other) => one + other, 0),
  );
  const shares = Float64Array.from(powers, (power) => power / sum);
  return { features, shares, weight: QUESTION_WEIGHTS[set] };
}

/** The number of questions with a right result among the first three. */
function amongThree(asked: readonly Asked[], weights: Weights): number {
  return asked.filter(({ candidates }) =>
    candidates
      .flatMap((candidate) => shownOf(candidate, weights))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, 3)
      .some(({ isRight }) => isRight),
  ).length;
}

function named(names: readonly string[], weights: readonly number[]): Record<string, number> {
  return Object.fromEntries(names.map((name, at) => [name, rounded(weights[at] ?? 0)]));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
