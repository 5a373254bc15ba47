// node scripts/ranking/collect-confidence.ts --corpora DIR --indexes DIR --out FILE [--questions DIR]… [--part N/OF]
// Runs the queries of bench/quality on their own corpus, on others, and on their own corpus without the files that
// answer a third of them, and writes the signals of the confidence, one line of JSON per run of a query: the training
// data of fit-confidence.ts. Existing indexes are reused.
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { corpusFolder } from "../../bench/quality/prepare.ts";
import { loadLibrary, OWN_QUESTIONS } from "../../bench/quality/questions.ts";
import { placeKey, placeOf, tasksOf, type Place, type Task } from "../../bench/quality/suites.ts";
import { otherCorpora, WRONG_SUITE } from "../../bench/quality/wrong.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { prepareQuery } from "../../src/engine/passages/search-passages.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { FIRST_RESULTS } from "../../src/search/confidence.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import type { Asked, AskedKind } from "./asked.ts";
import { hashOf, isAnswerRemoved, pathIn, wrongPlacesOf } from "./askings.ts";
import { collectOptions, indexOnce, NAMESPACE } from "./collect-setup.ts";

const DIGITS = 1e5;
/** Every run whose number is a multiple of this is repeated without vectors. */
const WITHOUT_VECTORS_EVERY = 4;

/** A question and the place where it runs. */
interface Asking {
  readonly task: Task;
  readonly place: Place;
  readonly kind: AskedKind;
}

const options = collectOptions("collect-confidence");
if (options !== undefined) await collect(options);

async function collect({
  folders,
  questions,
  part: { number, of },
}: NonNullable<typeof options>): Promise<void> {
  const folderOf = ({ corpus, root }: Place): string =>
    join(corpusFolder({ folder: folders.corpora }, corpus), root);
  const tasks = tasksOf(loadLibrary([OWN_QUESTIONS, ...questions]), {}).filter(({ place }) =>
    existsSync(folderOf(place)),
  );
  const removed = Map.groupBy(tasks.filter(isAnswerRemoved), ({ place }) => placeKey(place));
  const groups = Map.groupBy(askingsOf(tasks), indexKey);
  const file = openSync(folders.out, "w");
  for (const [at, key] of [...groups.keys()].toSorted().entries()) {
    const askings = groups.get(key) ?? [];
    const [first] = askings;
    if (at % of !== number - 1 || first === undefined) continue;
    const source = {
      id: 1,
      namespace: NAMESPACE,
      root: folderOf(first.place),
      prefix: "",
      include: [],
      exclude: first.kind === "removed" ? goldGlobs(removed.get(placeKey(first.place)) ?? []) : [],
    };
    const data = join(folders.indexes, key.replaceAll(/[/:]/g, "_"));
    // eslint-disable-next-line no-await-in-loop -- one after the other, on one core
    await indexOnce(source, data);
    // eslint-disable-next-line no-await-in-loop -- as above
    for await (const asked of answersOf(askings, source, data)) {
      writeSync(file, `${JSON.stringify(asked, rounded)}\n`);
    }
  }
  closeSync(file);
}

/** Runs with the same key use one index. */
function indexKey({ place, kind }: Asking): string {
  return `${placeKey(place)}${kind === "removed" ? "!" : ""}`;
}

function askingsOf(tasks: readonly Task[]): readonly Asking[] {
  const places = [...new Map(tasks.map(({ place }) => [placeKey(place), place])).values()];
  const ofBench = tasks.filter(({ suite }) => suite === WRONG_SUITE);
  const others = otherCorpora([...new Set(ofBench.map(({ place }) => place.corpus))]);
  return tasks.flatMap((task): readonly Asking[] => {
    const { suite, place } = task;
    const other = suite === WRONG_SUITE ? others.get(place.corpus.id) : undefined;
    return [
      { task, place, kind: "right" },
      ...(isAnswerRemoved(task) ? [{ task, place, kind: "removed" } as const] : []),
      ...(other === undefined
        ? []
        : [{ task, place: placeOf(suite, other), kind: "wrong in the bench" } as const]),
      ...wrongPlacesOf(task, places).map((wrong) => ({ task, ...wrong })),
    ];
  });
}

/** Globs that match exactly the files that answer these questions. */
function goldGlobs(tasks: readonly Task[]): readonly string[] {
  const paths = tasks.flatMap(({ place, question }) =>
    question.gold.map(({ path }) => pathIn(place, path)),
  );
  return [...new Set(paths)].map((path) => path.replaceAll(/[*?[\]{}!\\]/g, String.raw`\$&`));
}

type Source = Parameters<typeof prepareQuery>[0]["sources"][number];

async function* answersOf(
  askings: readonly Asking[],
  source: Omit<Source, "addedAt">,
  data: string,
): AsyncGenerator<Asked> {
  const backend = new EmbeddedBackend(data);
  const reader = await backend.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error(`no index in ${data}`);
  const context = {
    reader,
    tokenizer: createTokenizer(),
    embedder: new QueryEmbedder(packedEmbeddings),
    sources: [{ ...source, addedAt: "" }],
  };
  for (const { task, place, kind } of askings) {
    const { suite, question } = task;
    const gold = new Set(
      kind === "right" ? question.gold.map(({ path }) => pathIn(place, path)) : [],
    );
    const isRepeated = hashOf(`${suite} ${question.id} ${kind}`) % WITHOUT_VECTORS_EVERY === 0;
    for (const withoutVectors of isRepeated ? [false, true] : [false]) {
      // eslint-disable-next-line no-await-in-loop -- one question after the other
      const { rank } = await prepareQuery(context, { ...question, withoutVectors });
      // eslint-disable-next-line no-await-in-loop -- as above
      const ranking = await rank({ limit: FIRST_RESULTS, filter: undefined });
      yield {
        suite,
        kind,
        withoutVectors,
        repository: task.place.corpus.github,
        askedOf: place.corpus.github,
        signals: ranking.signals,
        scores: ranking.files.map(({ score }) => score),
        right: ranking.files.map(({ file }) => Number(gold.has(file.path))),
      };
    }
  }
  backend.close();
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Math.round(value * DIGITS) / DIGITS
    : value;
}
