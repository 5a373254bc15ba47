import { expect, test } from "vitest";

import type { CandidateChunk, CandidateFile } from "../../src/index/scoring/candidates.ts";
import { CHUNK_FEATURES, chunkFeatures, type QueryFacts } from "../../src/search/features.ts";
import { factsOf, chunk, file } from "./known-candidates.ts";

/** A feature, its value, and the case. */
type ChunkCase = readonly [
  (typeof CHUNK_FEATURES)[number],
  number,
  string,
  { readonly facts: QueryFacts; readonly chunk: CandidateChunk; readonly file?: CandidateFile },
];

const NO_WORDS = factsOf("???");
const TOKEN = factsOf("revoke the token");
const FIRST_TERM = 0b01;
const BOTH_TERMS = 0b11;
const UNEVEN = factsOf("revoke the token", {
  terms: [
    { term: "revok", weight: 3 },
    { term: "token", weight: 1 },
  ],
});

/** The query asks how to do something, and this is documentation. */
const TASK = { facts: factsOf("how to revoke a token"), file: file({ role: "docs" }) };

const CHUNK_CASES: readonly ChunkCase[] = [
  ["chunkText", 0.5, "its score", { facts: TOKEN, chunk: chunk({}, { body: 0.5 }) }],
  ["chunkNames", 0.5, "its score", { facts: TOKEN, chunk: chunk({}, { names: 0.5 }) }],
  ["chunkSimilarity", 0.5, "its score", { facts: TOKEN, chunk: chunk({}, { similarity: 0.5 }) }],
  ["textCoverage", 0, "nothing", { facts: TOKEN, chunk: chunk() }],
  [
    "textCoverage",
    0.5,
    "one of two",
    { facts: TOKEN, chunk: chunk({}, { bodyTerms: FIRST_TERM }) },
  ],
  [
    "textCoverage",
    0.75,
    "the rarer",
    { facts: UNEVEN, chunk: chunk({}, { bodyTerms: FIRST_TERM }) },
  ],
  ["textCoverage", 0, "a name", { facts: TOKEN, chunk: chunk({}, { namesTerms: BOTH_TERMS }) }],
  ["textCoverage", 0, "a question of nothing", { facts: NO_WORDS, chunk: chunk() }],
  ["namesCoverage", 1, "both", { facts: TOKEN, chunk: chunk({}, { namesTerms: BOTH_TERMS }) }],
  ["namesCoverage", 0, "its text", { facts: TOKEN, chunk: chunk({}, { bodyTerms: BOTH_TERMS }) }],
  [
    "chunkCoverage",
    1,
    "one in its name and the other in its path",
    {
      facts: TOKEN,
      chunk: chunk({}, { namesTerms: 0b10 }),
      file: file({}, { pathTerms: FIRST_TERM }),
    },
  ],
  ["nameOverlap", 1, "a part", { facts: TOKEN, chunk: chunk({ symbol: "Store.revoke" }) }],
  ["nameOverlap", 0.5, "half of it", { facts: TOKEN, chunk: chunk({ symbol: "tokenStore" }) }],
  ["nameOverlap", 0.5, "a title", { facts: TOKEN, chunk: chunk({ symbol: "Use > Token store" }) }],
  [
    "nameOverlap",
    0,
    "what is around it",
    { facts: TOKEN, chunk: chunk({ symbol: "Token.other" }) },
  ],
  ["nameOverlap", 0, "no name", { facts: TOKEN, chunk: chunk() }],
  ["nameOverlap", 0, "a name of signs", { facts: TOKEN, chunk: chunk({ symbol: "==" }) }],
  ["nameWeight", 1, "the whole", { facts: TOKEN, chunk: chunk({ symbol: "revokeToken" }) }],
  ["nameWeight", 0.5, "half of it", { facts: TOKEN, chunk: chunk({ symbol: "token" }) }],
  ["nameWeight", 0.75, "the rarer", { facts: UNEVEN, chunk: chunk({ symbol: "revoke" }) }],
  ["nameWeight", 0.25, "a half", { facts: TOKEN, chunk: chunk({ symbol: "tokenStore" }) }],
  [
    "nameSimilarity",
    0.5,
    "the cosine of its own name",
    {
      facts: factsOf("x", { nameSimilarity: (name) => (name === "near" ? 0.5 : 0) }),
      chunk: chunk({ symbol: "Far.near" }),
    },
  ],
  [
    "nameSimilarity",
    0,
    "no name",
    { facts: factsOf("x", { nameSimilarity: () => 0.5 }), chunk: chunk({ symbol: "" }) },
  ],
  [
    "identifierDefined",
    1,
    "that name",
    { facts: factsOf("who calls revokeToken"), chunk: chunk({ names: ["Store", "revokeToken"] }) },
  ],
  [
    "identifierDefined",
    1,
    "it in another spelling",
    { facts: factsOf("who calls revoke_token"), chunk: chunk({ names: ["RevokeToken"] }) },
  ],
  [
    "identifierDefined",
    1,
    "it in another case, when it is the question",
    { facts: factsOf("revoketoken"), chunk: chunk({ names: ["RevokeToken"] }) },
  ],
  [
    "identifierDefined",
    2,
    "three of them",
    { facts: factsOf("callA callB callC"), chunk: chunk({ names: ["callA", "callB", "callC"] }) },
  ],
  ["wordDefined", 1, "that name", { facts: TOKEN, chunk: chunk({ names: ["token"] }) }],
  ["wordDefined", 0, "a part of it", { facts: TOKEN, chunk: chunk({ names: ["tokenStore"] }) }],
  [
    "wordDefined",
    2,
    "three of them",
    { facts: factsOf("one two three"), chunk: chunk({ names: ["one", "two", "three"] }) },
  ],
  ["isFunction", 1, "a function", { facts: TOKEN, chunk: chunk({ kind: "function" }) }],
  ["isFunction", 1, "a method", { facts: TOKEN, chunk: chunk({ kind: "method" }) }],
  ["isClass", 1, "a class", { facts: TOKEN, chunk: chunk({ kind: "class" }) }],
  ["isClass", 1, "a type", { facts: TOKEN, chunk: chunk({ kind: "type" }) }],
  ["isConstant", 1, "a constant", { facts: TOKEN, chunk: chunk({ kind: "constant" }) }],
  ["isModule", 1, "what is between", { facts: TOKEN, chunk: chunk({ kind: "module" }) }],
  ["isSection", 1, "a section", { facts: TOKEN, chunk: chunk({ kind: "section" }) }],
  ["isText", 1, "text", { facts: TOKEN, chunk: chunk({ kind: "text" }) }],
  ["isText", 0, "a section", { facts: TOKEN, chunk: chunk({ kind: "section" }) }],
  ["isFirst", 1, "the first line", { facts: TOKEN, chunk: chunk({ startLine: 1 }) }],
  ["isFirst", 0, "the second", { facts: TOKEN, chunk: chunk({ startLine: 2 }) }],
  ["lines", 0, "one line", { facts: TOKEN, chunk: chunk() }],
  ["lines", 3, "eight lines", { facts: TOKEN, chunk: chunk({ startLine: 3, endLine: 10 }) }],
  ["chunkText × intent", 0.5, "documentation", { ...TASK, chunk: chunk({}, { body: 0.5 }) }],
  [
    "chunkText × intent",
    0,
    "code",
    { facts: TASK.facts, chunk: chunk({}, { body: 0.5 }), file: file() },
  ],
  [
    "chunkText × intent",
    0,
    "a question about code",
    { ...TASK, facts: factsOf("where is the token"), chunk: chunk({}, { body: 0.5 }) },
  ],
  [
    "chunkSimilarity × intent",
    0.5,
    "documentation",
    { ...TASK, chunk: chunk({}, { similarity: 0.5 }) },
  ],
  [
    "textCoverage × intent",
    0.5,
    "documentation",
    { ...TASK, chunk: chunk({}, { bodyTerms: FIRST_TERM }) },
  ],
  [
    "chunkCoverage × intent",
    1,
    "documentation",
    { ...TASK, chunk: chunk({}, { namesTerms: BOTH_TERMS }) },
  ],
];

test.each(CHUNK_CASES)("%s is %d for %s", (name, value, _, given) => {
  const features = chunkFeatures(given.chunk, given.file ?? file(), given.facts);
  expect(features[CHUNK_FEATURES.indexOf(name)]).toBe(value);
});

test("every feature has a case in which it is not 0", () => {
  const shown = CHUNK_CASES.filter(([, value]) => value !== 0).map(([name]) => name);
  expect(new Set(shown)).toEqual(new Set(CHUNK_FEATURES));
});
