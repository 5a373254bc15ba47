import { expect, test } from "vitest";

import type { Corpus } from "../../../bench/quality/questions.ts";
import type { Place, Task } from "../../../bench/quality/suites.ts";
import {
  hashOf,
  isAnswerRemoved,
  pathIn,
  wrongPlacesOf,
} from "../../../scripts/ranking/askings.ts";

function placeOf(id: string, language: string, github = `own/${id}`): Place {
  const corpus: Corpus = { id, language, kind: "git", github, commit: "1", root: "" };
  return { corpus, root: "" };
}

function taskOf(id: string, place: Place, suite = "tiny"): Task {
  const gold = [{ path: "a.ts" }];
  const of = { corpus: place.corpus.id, lang: place.corpus.language, type: "semantic" };
  return { suite, place, question: { id, suite, query: "where is it", gold, ...of } };
}

const GO = placeOf("a", "go");
const PLACES = [
  GO,
  placeOf("again", "go", "own/a"),
  placeOf("b", "go"),
  placeOf("c", "rust"),
  placeOf("d", "java"),
];

test("a question goes to two places in other languages and one in the same, never to its repository", () => {
  const tasks = Array.from({ length: 40 }, (_, at) => taskOf(`q${at}`, GO));
  const chosen = tasks.map((task) => wrongPlacesOf(task, PLACES));
  for (const places of chosen) {
    expect(places.map(({ kind }) => kind)).toEqual([
      "wrong language",
      "wrong language",
      "wrong project",
    ]);
    expect(places[2]?.place.corpus.id).toBe("b");
  }
  const others = chosen.flatMap((places) => places.slice(0, 2).map(({ place }) => place.corpus.id));
  expect(new Set(others)).toEqual(new Set(["c", "d"]));
  expect(wrongPlacesOf(taskOf("q1", GO), PLACES.toReversed())).toEqual(chosen[1]);
  expect(wrongPlacesOf(taskOf("q1", GO), [GO])).toEqual([]);
});

test("a third of the questions loses its answer, the same in both forms of a suite", () => {
  const ids = Array.from({ length: 300 }, (_, at) => `question ${at}`);
  const removed = ids.filter((id) => isAnswerRemoved(taskOf(id, GO, "semble")));
  expect(removed.length).toBeGreaterThan(70);
  expect(removed.length).toBeLessThan(130);
  expect(ids.filter((id) => isAnswerRemoved(taskOf(id, GO, "semble-full")))).toEqual(removed);
});

test("a path of a corpus is one of the folder that is indexed", () => {
  const folder = { ...GO, root: "src" };
  expect(["src/a.ts", "srcs/a.ts"].map((path) => pathIn(folder, path))).toEqual([
    "a.ts",
    "srcs/a.ts",
  ]);
  expect(pathIn(GO, "src/a.ts")).toBe("src/a.ts");
});

test("texts that differ by one letter have hashes of 32 bits far apart", () => {
  const hashes = Array.from({ length: 1000 }, (_, at) => hashOf(`text ${at}`));
  expect(new Set(hashes).size).toBe(1000);
  expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32)).toBe(true);
  const counts = [0, 1, 2, 3].map((rest) => hashes.filter((hash) => hash % 4 === rest).length);
  for (const count of counts) expect(Math.abs(count - 250)).toBeLessThan(60);
});
