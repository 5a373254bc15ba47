import { expect, test } from "vitest";

import type { CandidateChunk, CandidateFile } from "../../src/index/scoring/candidates.ts";
import { FileFlag } from "../../src/index/types.ts";
import { FILE_FEATURES, fileFeatures } from "../../src/search/features.ts";
import { factsOf, chunk, file } from "./known-candidates.ts";

const FIRST_TERM = 0b01;

function settings(path: string, flags = 0): CandidateFile {
  return file({ path, role: "config", language: "ini", flags });
}

type FileCase = readonly [
  (typeof FILE_FEATURES)[number],
  number,
  string,
  {
    readonly question?: string;
    readonly file: CandidateFile;
    readonly chunks?: readonly CandidateChunk[];
    readonly docsShare?: number;
  },
];

const FILE_CASES: readonly FileCase[] = [
  ["fileText", 0.5, "its score", { file: file({}, { fileScore: 0.5 }) }],
  ["noTermMatch", 1, "none of the words", { file: file({}, { fileScore: 0 }) }],
  ["noTermMatch", 0, "one of them", { file: file({}, { fileScore: 0.1 }) }],
  ["bestText", 0.5, "the best", { file: file(), chunks: meaningful("body", 0.25, 0.5) }],
  ["bestText", 0, "no chunks", { file: file() }],
  ["bestNames", 0.5, "the best", { file: file(), chunks: meaningful("names", 0.25, 0.5) }],
  [
    "bestSimilarity",
    0.5,
    "the nearest",
    { file: file(), chunks: meaningful("similarity", 0.25, 0.5) },
  ],
  ["topSimilarities", 0.7, "one chunk", { file: file(), chunks: meaningful("similarity", 0.7) }],
  [
    "topSimilarities",
    0.7,
    "two alike",
    { file: file(), chunks: meaningful("similarity", 0.7, 0.7) },
  ],
  [
    "topSimilarities",
    0.4,
    "one of three",
    { file: file(), chunks: meaningful("similarity", 0, 0.7, 0) },
  ],
  [
    "topSimilarities",
    0.6,
    "two of four",
    { file: file(), chunks: meaningful("similarity", 0, 0.7, 0, 0.7) },
  ],
  [
    "topSimilarities",
    0.7,
    "the nearest three",
    { file: file(), chunks: meaningful("similarity", 0.1, 0.7, 0.7, 0.7) },
  ],
  [
    "settings × intent",
    1,
    "settings, and someone wants to set something",
    { question: "how do I set a token", file: settings("token.conf") },
  ],
  [
    "settings × intent",
    0,
    "settings of a tool",
    { question: "how do I set a token", file: settings(".github/token.yml") },
  ],
  ["config", 0, "wanted settings", { question: "set up a token", file: settings("token.conf") }],
  [
    "example",
    0,
    "a sample of wanted settings",
    { question: "set up a token", file: settings("token.conf", FileFlag.example) },
  ],
  ["pathCoverage", 0.5, "one of two", { file: file({}, { pathTerms: FIRST_TERM }) }],
  ["fileNameCoverage", 0.5, "one of two", { file: file({ path: "src/token-list.ts" }) }],
  ["fileNameCoverage", 0, "a folder", { file: file({ path: "token/list.ts" }) }],
  ["fileNameOverlap", 0.5, "half of it", { file: file({ path: "src/token-list.ts" }) }],
  [
    "fileNameOverlap",
    1,
    "a part",
    { file: file({ path: "src/token.test.ts" }), question: "token test" },
  ],
  [
    "fileNameIsIdentifier",
    1,
    "any case",
    { file: file({ path: "src/tokenstore.ts" }), question: "who uses TokenStore" },
  ],
  [
    "fileNameIsIdentifier",
    0,
    "an ordinary word",
    { file: file({ path: "src/token.ts" }), question: "who uses a token" },
  ],
  [
    "pathInQuery",
    1,
    "the end of it",
    { file: file({ path: "src/token.ts" }), question: "what is token.ts" },
  ],
  [
    "pathInQuery",
    1,
    "all of it",
    { file: file({ path: "src/token.ts" }), question: "what is src/token.ts" },
  ],
  [
    "pathInQuery",
    0,
    "the end of a name",
    { file: file({ path: "src/my-token.ts" }), question: "what is token.ts" },
  ],
  [
    "coverage",
    1,
    "in two chunks",
    {
      file: file(),
      chunks: [chunk({}, { bodyTerms: FIRST_TERM }), chunk({}, { namesTerms: 0b10 })],
    },
  ],
  ["coverage", 0.5, "in its path", { file: file({}, { pathTerms: FIRST_TERM }) }],
  ["tests", 1, "tests", { file: file({ role: "tests" }) }],
  ["tests", 0, "tests that were asked for", { file: file({ role: "tests" }), question: "test it" }],
  ["testsRequested", 1, "tests", { file: file({ role: "tests" }), question: "test it" }],
  ["testsRequested", 0, "code", { file: file(), question: "test it" }],
  ["docs", 1, "docs", { file: file({ role: "docs" }) }],
  ["docs", 0, "docs that were asked for", { file: file({ role: "docs" }), question: "the guide" }],
  ["docsRequested", 1, "docs", { file: file({ role: "docs" }), question: "the guide" }],
  ["docsAmongDocs", 0.75, "docs", { file: file({ role: "docs" }), docsShare: 0.75 }],
  ["docsAmongDocs", 0, "code", { file: file(), docsShare: 0.75 }],
  ["config", 1, "settings", { file: file({ role: "config" }) }],
  ["configRequested", 1, "settings", { file: file({ role: "config" }), question: "config of it" }],
  ["example", 1, "an example", { file: file({ flags: FileFlag.example }) }],
  [
    "exampleRequested",
    1,
    "an example",
    { file: file({ flags: FileFlag.example | FileFlag.vendored }), question: "a demo" },
  ],
  ["vendored", 1, "a copy", { file: file({ flags: FileFlag.vendored }) }],
  ["generated", 1, "what a program wrote", { file: file({ flags: FileFlag.generated }) }],
  ["generated", 0, "a copy", { file: file({ flags: FileFlag.vendored }) }],
  ["declarations", 1, ".d.ts", { file: file({ path: "types/token.d.ts" }) }],
  ["declarations", 0, "d.ts", { file: file({ path: "src/d.ts" }) }],
  ["changelog", 1, "changes", { file: file({ path: "docs/CHANGES.md" }) }],
  ["changelog", 0, "what changes", { file: file({ path: "src/changeset.ts" }) }],
  ["readme", 1, "any readme", { file: file({ path: "docs/Readme.de.md" }) }],
  ["readme", 0, "what reads them", { file: file({ path: "src/parse-readme.ts" }) }],
  ["chunks", 2, "three", { file: file({}, { chunkCount: 3 }) }],
  ["depth", 2, "two folders", { file: file({ path: "src/a/b.ts" }) }],
  ["pageRankOfName", 2, "a name", { question: "Session", file: file() }],
  ["pageRankOfName", 0, "words", { question: "new session", file: file() }],
];

/** Creates chunks with these scores. */
function meaningful(
  part: "body" | "names" | "similarity",
  ...scores: readonly number[]
): readonly CandidateChunk[] {
  return scores.map((score) => chunk({}, { [part]: score }));
}

test.each(FILE_CASES)("%s is %d for %s", (name, value, _, given) => {
  const { question = "revoke the token", docsShare = 0, chunks = [] } = given;
  const features = fileFeatures(
    given.file,
    chunks,
    factsOf(question, { docsShare, fileRank: () => 128 }),
  );
  expect(features[FILE_FEATURES.indexOf(name)]).toBeCloseTo(value, 9);
});

test("every feature has a case in which it is not 0", () => {
  const shown = FILE_CASES.filter(([, value]) => value !== 0).map(([name]) => name);
  expect(new Set(shown)).toEqual(new Set(FILE_FEATURES));
});
