// Measures whether svc reports that a repository holds no answer. Queries run on the repository for which they were
// written, and on one in another language.
import { askAll, type AskOptions } from "./ask.ts";
import type { Answer } from "./reply.ts";
import type { Corpus } from "./questions.ts";
import { mean } from "./statistics.ts";
import { placeOf, type Task } from "./suites.ts";
import { share, table } from "./table.ts";

/** The suite of the queries. */
export const WRONG_SUITE = "semble";

/**
 * The ways in which a reply reports that there is no good match: at the start of a line outside the passages. The
 * message of search_context for an empty result is one of them.
 */
export const NOTHING_GOOD =
  /^(?:Nothing (?:in|here|matches|fits|answers|good)\b|No (?:good|close|clear|strong|certain|confident)\b)/m;

/** Shares of the queries whose reply reports that there is no good match. */
export interface WrongResult {
  readonly byType: readonly {
    /** Language of the questions; `all` for all of them. */
    readonly type: string;
    readonly questions: number;
    readonly right: number;
    readonly wrong: number;
  }[];
  readonly failures: readonly string[];
}

const ALL_TYPES = "all";

/** For each corpus the next one, in the order of the ids, in another language; the first after the last. */
export function otherCorpora(corpora: readonly Corpus[]): ReadonlyMap<string, Corpus> {
  const ordered = corpora.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return new Map(
    ordered.flatMap((corpus, at): readonly (readonly [string, Corpus])[] => {
      const following = [...ordered.slice(at + 1), ...ordered.slice(0, at)];
      const other = following.find(({ language }) => language !== corpus.language);
      return other === undefined ? [] : [[corpus.id, other]];
    }),
  );
}

/** `others` comes from `otherCorpora` of all corpora of the suite. */
export async function wrongPlaces(
  tasks: readonly Task[],
  others: ReadonlyMap<string, Corpus>,
  options: AskOptions,
): Promise<WrongResult> {
  const pairs = tasks.flatMap(({ suite, place, question: { query, type } }) => {
    const other = others.get(place.corpus.id);
    if (other === undefined) return [];
    return [{ type, right: { place, query }, wrong: { place: placeOf(suite, other), query } }];
  });
  const askings = pairs.flatMap(({ right, wrong }) => [right, wrong]);
  const { get, failures } = await askAll(askings, options);
  const said = pairs.flatMap(({ type, right, wrong }) => {
    const [one, other] = [get(right), get(wrong)];
    if (one === undefined || other === undefined) return [];
    return [{ type, right: saysNothingGood(one), wrong: saysNothingGood(other) }];
  });
  const types = [ALL_TYPES, ...new Set(said.map(({ type }) => type))];
  const byType = types.map((type) => {
    const own = said.filter((one) => type === ALL_TYPES || one.type === type);
    return {
      type,
      questions: own.length,
      right: mean(own.map((one) => Number(one.right))),
      wrong: mean(own.map((one) => Number(one.wrong))),
    };
  });
  return { byType, failures };
}

export function wrongTable({ byType }: WrongResult): string {
  const rows = byType.map(({ type, questions, right, wrong }) => [
    type,
    questions,
    share(wrong),
    share(right),
  ]);
  return table(["says that nothing was found", "questions", "wrong place", "right place"], rows);
}

function saysNothingGood({ notes }: Answer): boolean {
  return NOTHING_GOOD.test(notes);
}
