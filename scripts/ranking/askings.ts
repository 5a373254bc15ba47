// Chooses the other places where the questions of bench/quality run. The choices are the same in every run.
import { placeKey, type Place, type Task } from "../../bench/quality/suites.ts";
import type { AskedKind } from "./asked.ts";

/** Every question whose number is a multiple of this loses the files that answer it. */
const REMOVED_EVERY = 3;

/** The queried place: the corpus, or a folder of it. */
interface WrongPlace {
  readonly place: Place;
  readonly kind: AskedKind;
}

/** Whether the second index of its corpus lacks the files that answer the question. */
export function isAnswerRemoved({ suite, question }: Task): boolean {
  return hashOf(suite.replace("-full", "") + question.id) % REMOVED_EVERY === 0;
}

/** Two places in other languages and one in the same, of other repositories; fewer if there are none. */
export function wrongPlacesOf(task: Task, places: readonly Place[]): readonly WrongPlace[] {
  const own = task.place.corpus;
  const foreign = places.filter(({ corpus }) => corpus.github !== own.github);
  const isAlike = ({ corpus }: Place): boolean => corpus.language === own.language;
  const key = `${task.suite} ${task.question.id}`;
  return [
    ...chosen(
      foreign.filter((place) => !isAlike(place)),
      `${key}a`,
      "wrong language",
    ),
    ...chosen(
      foreign.filter((place) => !isAlike(place)),
      `${key}b`,
      "wrong language",
    ),
    ...chosen(foreign.filter(isAlike), `${key}s`, "wrong project"),
  ];
}

/** One of the places, every repository with the same chance. */
function chosen(places: readonly Place[], key: string, kind: AskedKind): readonly WrongPlace[] {
  const ordered = places.toSorted((one, other) => (placeKey(one) < placeKey(other) ? -1 : 1));
  const repositories = [...Map.groupBy(ordered, ({ corpus }) => corpus.github).values()];
  const ofOne = repositories[hashOf(key) % repositories.length] ?? [];
  const place = ofOne[hashOf(`${key}x`) % ofOne.length];
  return place === undefined ? [] : [{ place, kind }];
}

/** Converts a path of a corpus to a path of the indexed place. */
export function pathIn({ root }: Place, path: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** FNV-1a with a final mix; 32 bits. */
export function hashOf(text: string): number {
  let hash = 2166136261;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0x5bd1e995) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
