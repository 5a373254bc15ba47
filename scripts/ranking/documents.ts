// node scripts/ranking/documents.ts --documents DIR [--dry]
// Learns src/search/document-weights.json, what the model of documents adds to that of all files, from the questions of
// bench/documents of the set `develop`. Prints the quality for both sets; `judge` is never learned from. Compares the
// right document with other files, and the right places in it with other places, in a project of code and documents and in
// a folder of documents. docs/ranking.md has the figures.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { readManifest } from "../../bench/documents/manifest.ts";
import { DOCS, mixedProject } from "../../bench/documents/project.ts";
import { readQuestions, type GroupQuestion } from "../../bench/documents/questions.ts";
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
import { CHUNK_FEATURES } from "../../src/search/features.ts";
import { parseQuery, type Query } from "../../src/search/parse-query.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { rerankCandidates, type RerankedFile } from "../../src/search/rank.ts";
import {
  CHUNK_WEIGHTS,
  modelOf,
  RANKING_FEATURES,
  RANKING_WEIGHTS,
  scoreFeatures,
} from "../../src/search/ranking-model.ts";
import { bestLine } from "../../src/search/select-lines.ts";
import { documentFiles } from "../../src/sources/text/document-store.ts";
import { localTexts } from "../../src/sources/text/local-texts.ts";
import type { TextReader } from "../../src/sources/text/port.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { sourceAt } from "../../test/helpers/indexed-tree.ts";
import { indexOnce, NAMESPACE } from "./collect-setup.ts";

const PRODUCT = join(import.meta.dirname, "../../src/search/document-weights.json");
/** Weights that are learned. The others are those of all files: the questions are few. */
const LEARNED_CHUNK = ["chunkText", "textCoverage", "chunkCoverage", "nameOverlap", "isSection"];
const LEARNED_RANKING = ["fileText", "bestSimilarity", "coverage", "chunks"].concat([
  "best chunkText",
  "best textCoverage",
  "best chunkCoverage",
]);
const CANDIDATES = 40;
const MAX_OTHERS = 20;
const STEPS = 1500;
const RATE = 0.3;
/** How much large weights cost. */
const RIDGE = { ranking: 0.003, chunk: 0.01 };

/** A chunk of the right document. */
interface Place {
  readonly features: readonly number[];
  readonly isRight: boolean;
}

interface Candidate {
  readonly features: readonly number[];
  readonly hasModel: boolean;
  /** Of the right document; empty for other files. */
  readonly places: readonly Place[];
}

interface Asked extends Pick<GroupQuestion, "set"> {
  readonly candidates: readonly Candidate[];
}

/** The learned features of two candidates, and how much better the first one is by the model of all files. */
interface Pair {
  readonly before: number;
  readonly difference: readonly number[];
  readonly weight: number;
}

interface Weights {
  readonly chunk: readonly number[];
  /** The last one is the bias. */
  readonly ranking: readonly number[];
}

const { values } = parseArgs({
  options: { documents: { type: "string" }, dry: { type: "boolean", default: false } },
});
if (values.documents === undefined) throw new Error("documents.ts: --documents is needed.");
await learn(values.documents, values.dry);

async function learn(documents: string, isDry: boolean): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "svc-ranking-documents-"));
  try {
    const root = mixedProject(work, documents, readManifest());
    const asked = [
      ...(await ask({ root, prefix: `${DOCS}/`, data: join(work, "mixed") })),
      ...(await ask({ root: documents, prefix: "", data: join(work, "alone") })),
    ];
    const known = asked.filter(({ set }) => set === "develop");
    const learned: Weights = {
      chunk: fit(known.flatMap(placePairs), LEARNED_CHUNK.length, RIDGE.chunk),
      ranking: fit(known.flatMap(filePairs), LEARNED_RANKING.length + 1, RIDGE.ranking),
    };
    const none: Weights = { chunk: [], ranking: [] };
    for (const set of ["develop", "judge"] as const) {
      const of = asked.filter((one) => one.set === set);
      console.log(`${set}: ${amongThree(of, none)} -> ${amongThree(of, learned)} of ${of.length}`);
    }
    const bias = rounded(learned.ranking.at(-1) ?? 0);
    const product = {
      chunk: named(LEARNED_CHUNK, learned.chunk),
      ranking: named(LEARNED_RANKING, learned.ranking),
      bias,
    };
    if (!isDry) writeFileSync(PRODUCT, `${JSON.stringify(product, null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function ask({
  root,
  prefix,
  data,
}: {
  root: string;
  prefix: string;
  data: string;
}): Promise<readonly Asked[]> {
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
  for (const question of readQuestions()) {
    const query = parseQuery(question.question, tokenizer);
    const vector = embedder.embed(query.embeddingText);
    const nameSimilarity = (name: string): number =>
      vector === undefined ? 0 : embedder.nameSimilarity(name, vector);
    const embedding = vector && { vector, nameSimilarity };
    // eslint-disable-next-line no-await-in-loop -- one question after the other
    const { reranked } = await rerankCandidates(reader, query, { limit: CANDIDATES, embedding });
    const candidates: Candidate[] = [];
    for (const file of reranked) {
      const isRight = file.file.path === prefix + question.document;
      // eslint-disable-next-line no-await-in-loop -- as above
      const places = isRight ? await placesIn(file, { question, query, texts }) : [];
      const hasModel = modelOf(file.file) !== modelOf({ language: "", role: "code" });
      candidates.push({ features: file.features, hasModel, places });
    }
    asked.push({ set: question.set, candidates });
  }
  index.close();
  return asked;
}

async function placesIn(
  { file, chunks }: RerankedFile,
  { question, query, texts }: { question: GroupQuestion; query: Query; texts: TextReader },
): Promise<readonly Place[]> {
  const read = await texts.read(file.path);
  if ("problem" in read) throw new Error(`${file.path} is ${read.problem}`);
  const headings: LinesOfHeading = file.path.endsWith(".html")
    ? htmlHeadings(read.text)
    : () => undefined;
  return chunks.map(({ chunk: { facts }, features }) => {
    const { startLine, endLine } = facts;
    const lines = read.lines.slice(startLine - 1, endLine);
    const part =
      read.document && linesInPart(read.document, facts, startLine + bestLine(lines, query));
    const place = part && documentPlace(question.document, read.document, part);
    const result = {
      path: question.document,
      place,
      start_line: startLine,
      end_line: endLine,
      text: lines.join("\n"),
    };
    return { features, isRight: isRightPlace(question, result, headings) };
  });
}

function filePairs({ candidates }: Asked): readonly Pair[] {
  const right = candidates.find(({ places }) => places.length > 0);
  if (right === undefined) return [];
  const others = best(
    candidates.filter((one) => one !== right),
    fileScore,
  );
  return others.map((other) => ({
    before: fileScore(right) - fileScore(other),
    difference: minus(learnedOfFile(right), learnedOfFile(other)),
    weight: 1 / others.length,
  }));
}

function placePairs({ candidates }: Asked): readonly Pair[] {
  const places = candidates.find((one) => one.hasModel && one.places.length > 0)?.places ?? [];
  const right = best(
    places.filter(({ isRight }) => isRight),
    placeScore,
  ).slice(0, 3);
  const wrong = best(
    places.filter(({ isRight }) => !isRight),
    placeScore,
  );
  return right.flatMap((one) =>
    wrong.map((other) => ({
      before: placeScore(one) - placeScore(other),
      difference: minus(learnedOfPlace(one), learnedOfPlace(other)),
      weight: 1 / wrong.length / right.length,
    })),
  );
}

/** Logistic regression over pairs, by gradient descent. */
function fit(pairs: readonly Pair[], count: number, ridge: number): readonly number[] {
  let weights: readonly number[] = Array.from({ length: count }, () => 0);
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight) => ridge * weight);
    for (const { before, difference, weight } of pairs) {
      const share = weight / total / (1 + Math.exp(before + scoreFeatures(difference, weights)));
      for (let at = 0; at < count; at += 1)
        gradient[at] = (gradient[at] ?? 0) - share * (difference[at] ?? 0);
    }
    weights = minus(
      weights,
      gradient.map((value) => RATE * value),
    );
  }
  return weights;
}

/** The number of questions of which a right place is among the first three results. */
function amongThree(asked: readonly Asked[], { chunk, ranking }: Weights): number {
  return asked.filter(({ candidates }) => {
    const files = best(
      candidates,
      (one) => fileScore(one) + scoreFeatures(learnedOfFile(one), ranking),
    );
    const at = files.findIndex(({ places }) => places.length > 0);
    const { places = [], hasModel = false } = files[at] ?? {};
    const ofPlace = (one: Place): number =>
      placeScore(one) + (hasModel ? scoreFeatures(learnedOfPlace(one), chunk) : 0);
    const place = best(places, ofPlace).findIndex(({ isRight }) => isRight);
    return at !== -1 && place !== -1 && at + place < 3;
  }).length;
}

function fileScore({ features }: Candidate): number {
  return scoreFeatures(features, RANKING_WEIGHTS);
}

function placeScore({ features }: Place): number {
  return scoreFeatures(features, CHUNK_WEIGHTS);
}

/** The last one is for the bias. */
function learnedOfFile({ features, hasModel }: Candidate): readonly number[] {
  const known = LEARNED_RANKING.map((name) => features[RANKING_FEATURES.indexOf(name)] ?? 0);
  return hasModel ? [...known, 1] : [...known.map(() => 0), 0];
}

function learnedOfPlace({ features }: Place): readonly number[] {
  const names: readonly string[] = CHUNK_FEATURES;
  return LEARNED_CHUNK.map((name) => features[names.indexOf(name)] ?? 0);
}

function best<Item>(items: readonly Item[], scoreOf: (item: Item) => number): readonly Item[] {
  return items.toSorted((one, other) => scoreOf(other) - scoreOf(one)).slice(0, MAX_OTHERS);
}

function minus(one: readonly number[], other: readonly number[]): readonly number[] {
  return one.map((value, at) => value - (other[at] ?? 0));
}

function named(names: readonly string[], weights: readonly number[]): Record<string, number> {
  return Object.fromEntries(names.map((name, at) => [name, rounded(weights[at] ?? 0)]));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
