import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { loadLibrary, OWN_QUESTIONS } from "../../../bench/quality/questions.ts";
import { placeKey, suitesOf, tasksOf } from "../../../bench/quality/suites.ts";
import { readTargets, targetSuites } from "../../../bench/quality/targets.ts";
import { plant, tree } from "../../helpers/tree.ts";

const place = tree();
afterAll(place.dispose);

const own = loadLibrary([OWN_QUESTIONS]);

function question(suite: string, corpus: string, number = 0): Record<string, unknown> {
  const about = { id: `${suite}/${number}`, suite, corpus, lang: "go", type: "t", query: "what" };
  return { ...about, gold: [{ path: "a.go" }] };
}

function folder(name: string, files: Readonly<Record<string, unknown>>): string {
  const path = join(place.path, name);
  plant(
    path,
    Object.fromEntries(Object.entries(files).map(([file, json]) => [file, JSON.stringify(json)])),
  );
  return path;
}

const CORPUS = { id: "c", kind: "git", github: "o/c", commit: "1", language: "go", root: "src" };

describe("the questions that come with the bench", () => {
  test("are of every suite that has a target, but for those that may not be copied", () => {
    const missing = targetSuites(readTargets()).filter((suite) => !suitesOf(own).includes(suite));
    expect(missing).toEqual(["cosqa", "cranfield"]);
  });

  test("have ids of their own, and grades that gain", () => {
    const keys = own.questions.map(({ suite, id }) => `${suite} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
    const golds = own.questions.flatMap(({ gold }) => gold);
    expect(golds.filter(({ grade = 1 }) => grade <= 0)).toEqual([]);
  });
});

describe("a further folder", () => {
  test("adds its suites; what is known stays", () => {
    const more = folder("more", {
      "corpora.json": [CORPUS, { ...CORPUS, id: "gin", github: "o/other" }],
      "new.json": [question("new", "c")],
      "semble.json": [question("semble", "c")],
      "notes.txt": "no JSON",
    });
    const both = loadLibrary([OWN_QUESTIONS, more]);
    expect(both.questions.length).toBe(own.questions.length + 1);
    expect(suitesOf(both)).toEqual(expect.arrayContaining([...suitesOf(own), "new"]));
    expect(both.corpora.get("gin")?.github).toBe("gin-gonic/gin");
    expect(both.corpora.get("c")?.github).toBe("o/c");
  });

  test.each([
    ["that is not there", "nowhere", "nowhere cannot be read"],
    ["with a broken question", folder("broken", { "x.json": [{ id: 1 }] }), "x.json: 0.id:"],
    ["about no corpus", folder("lost", { "x.json": [question("x", "no")] }), "unknown corpus no"],
  ])("%s is refused", (_what, path, problem) => {
    expect(() => loadLibrary([path])).toThrow(problem);
  });
});

describe("tasks", () => {
  const library = loadLibrary([
    folder("small", {
      "corpora.json": [CORPUS, { ...CORPUS, id: "d" }],
      "semble.json": ["c", "c", "d"].map((corpus, at) => question("semble", corpus, at)),
      "swe.json": [question("swe", "c")],
    }),
  ]);
  const keys = (selection: Parameters<typeof tasksOf>[1]): readonly string[] =>
    tasksOf(library, selection).map(({ suite, place: at }) => `${suite} ${placeKey(at)}`);

  test("are all questions, at the folder of the suite's authors or at the whole corpus", () => {
    expect(keys({})).toEqual([
      "semble c:src",
      "semble c:src",
      "semble d:src",
      "swe c",
      "semble-full c",
      "semble-full c",
      "semble-full d",
    ]);
  });

  test("are those of the suites and corpora that are asked for, and no more than that", () => {
    expect(keys({ suites: ["semble-full", "none"], only: ["c"] })).toEqual([
      "semble-full c",
      "semble-full c",
    ]);
    expect(keys({ suites: ["semble"], perCorpus: 1 })).toEqual(["semble c:src", "semble d:src"]);
    expect(() => keys({ only: ["e"] })).toThrow('There is no corpus "e".');
  });
});
