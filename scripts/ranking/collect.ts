// node scripts/ranking/collect.ts --corpora DIR --indexes DIR --out FILE [--questions DIR]… [--part N/OF]
// Runs the queries of bench/quality on the engine, and writes the features of each candidate, one line of
// JSON per query: the training data of train.ts. Existing indexes are reused.
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { basename, join } from "node:path";

import { corpusFolder } from "../../bench/quality/prepare.ts";
import { loadLibrary, OWN_QUESTIONS } from "../../bench/quality/questions.ts";
import { placeKey, tasksOf, type Place, type Task } from "../../bench/quality/suites.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { CHUNK_FEATURES } from "../../src/search/features.ts";
import { mainLanguages } from "../../src/search/main-languages.ts";
import { parseQuery, type Query } from "../../src/search/parse-query.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { rerankCandidates, type RerankedFile } from "../../src/search/rank.ts";
import { RANKING_FEATURES } from "../../src/search/ranking-model.ts";
import { collectOptions, indexOnce, NAMESPACE } from "./collect-setup.ts";
import type { Example } from "./example.ts";
import { authorized } from "../../test/helpers/authorized.ts";

const DIGITS = 1e5;

const options = collectOptions("collect");
if (options !== undefined) await collect(options);

async function collect({
  folders,
  questions,
  part: { number, of },
}: NonNullable<typeof options>): Promise<void> {
  const tasks = tasksOf(loadLibrary([OWN_QUESTIONS, ...questions]), {});
  const places = Map.groupBy(tasks, ({ place }) => placeKey(place));
  const file = openSync(folders.out, "w");
  for (const [at, [key, ofPlace]] of [...places].entries()) {
    const [first] = ofPlace;
    if (at % of !== number - 1 || first === undefined) continue;
    const folder = join(
      corpusFolder({ folder: folders.corpora }, first.place.corpus),
      first.place.root,
    );
    if (!existsSync(folder)) {
      console.error(`collect: ${key} is missing`);
      continue;
    }
    const data = join(folders.indexes, key.replaceAll(/[/:]/g, "_"));
    // eslint-disable-next-line no-await-in-loop -- one after the other, on one core
    await indexOnce(
      { id: 1, namespace: NAMESPACE, root: folder, prefix: "", include: [], exclude: [] },
      data,
    );
    // eslint-disable-next-line no-await-in-loop -- as above
    for await (const example of examplesOf(ofPlace, folder, data)) {
      writeSync(file, `${JSON.stringify(example, rounded)}\n`);
    }
  }
  closeSync(file);
}

async function* examplesOf(
  tasks: readonly Task[],
  folder: string,
  data: string,
): AsyncGenerator<Example> {
  const backend = new EmbeddedBackend(data);
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error(`no index in ${data}`);
  const tokenizer = createTokenizer();
  const embedder = new QueryEmbedder(packedEmbeddings);
  const languages = await mainLanguages(reader);
  for (const task of tasks) {
    const query = parseQuery(task.question.query, tokenizer, {
      names: [basename(folder)],
      languages,
    });
    const vector = embedder.embed(query.embeddingText);
    const embedding = vector && {
      vector,
      nameSimilarity: (name: string): number => embedder.nameSimilarity(name, vector),
    };
    // eslint-disable-next-line no-await-in-loop -- one question after the other
    const { reranked } = await rerankCandidates(reader, query, {
      limit: 10,
      embedding,
      logProbability: embedder.logProbability,
    });
    yield exampleOf(task, query, reranked);
  }
  backend.close();
}

function exampleOf(
  { suite, question, place }: Task,
  { asksHow }: Query,
  looks: readonly RerankedFile[],
): Example {
  const grades = new Map<string, number>();
  for (const { path, grade = 1 } of question.gold) {
    grades.set(path, Math.max(grades.get(path) ?? 0, grade));
  }
  const firstOfChunk = RANKING_FEATURES.findIndex((name) => name.startsWith("best "));
  return {
    id: question.id,
    suite,
    language: question.lang,
    repository: place.corpus.github,
    query: question.query,
    asksHow,
    grades: [...grades.values()],
    hasLines: question.gold.some(({ start }) => start !== undefined),
    candidates: looks.map(({ file, features, chunks }) => {
      const path = pathFrom(place, file.path);
      return {
        path,
        role: file.role,
        gain: grades.get(path) ?? 0,
        // The features of the best chunk come from the chunk that the model will choose.
        before: features.slice(0, firstOfChunk),
        after: features.slice(firstOfChunk + CHUNK_FEATURES.length),
        chunks: chunks.map(({ chunk: { facts }, features: known }) => ({
          startLine: facts.startLine,
          answers: question.gold.some(
            (gold) =>
              gold.path === path &&
              gold.start !== undefined &&
              facts.startLine <= (gold.end ?? gold.start) &&
              facts.endLine >= gold.start,
          ),
          features: known,
        })),
      };
    }),
  };
}

function pathFrom({ root }: Place, path: string): string {
  return root === "" ? path : `${root}/${path}`;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Math.round(value * DIGITS) / DIGITS
    : value;
}
