// The expected effect of a feature before any example, from how other search engines treat it and from
// what it means. Few repositories in the examples have a tests folder, a changelog or a `.d.ts` file; without an
// expectation, a weight would follow the one repository that has it.

/** Of the features that order files; 0 for features that are not named. */
export const EXPECTED_RANKING: Readonly<Record<string, number>> = {
  fileText: 1.5,
  noTermMatch: -3,
  bestText: 1.5,
  bestNames: 1,
  bestSimilarity: 1.5,
  topSimilarities: 1.5,
  pathCoverage: 1.4,
  coverage: 1,
  pathInQuery: 5,
  tests: -4,
  testsRequested: -1,
  docs: -3,
  config: -3,
  example: -4,
  vendored: -3,
  generated: -2,
  declarations: -4,
  changelog: -4,
  readme: -1.5,
  "best nameWeight": 2,
  "best identifierDefined": 1,
};

/** Of the features that choose the chunk of a file. */
export const EXPECTED_CHUNK: Readonly<Record<string, number>> = {
  chunkText: 2,
  chunkNames: 1,
  chunkSimilarity: 2,
  nameWeight: 2,
  identifierDefined: 1,
};

const SPEAKS_FOR = 1;
const SPEAKS_AGAINST = -1;

/** Signs that weights must have, whatever the examples show. */
export const SIGNS_CHUNK: Readonly<Record<string, number>> = signsOf(SPEAKS_FOR, [
  "chunkText",
  "chunkNames",
  "chunkSimilarity",
  "namesCoverage",
  "chunkCoverage",
  "nameOverlap",
  "nameWeight",
  "nameSimilarity",
  "identifierDefined",
  "wordDefined",
]);

export const SIGNS_RANKING: Readonly<Record<string, number>> = {
  ...signsOf(SPEAKS_FOR, [
    "fileText",
    "bestText",
    "bestNames",
    "bestSimilarity",
    "topSimilarities",
    "pathCoverage",
    "fileNameCoverage",
    "fileNameOverlap",
    "fileNameIsIdentifier",
    "pathInQuery",
    "coverage",
    ...Object.keys(SIGNS_CHUNK).map((name) => `best ${name}`),
  ]),
  ...signsOf(SPEAKS_AGAINST, [
    "noTermMatch",
    "tests",
    "docs",
    "config",
    "example",
    "vendored",
    "generated",
    "declarations",
    "changelog",
  ]),
};

function signsOf(sign: number, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, sign]));
}
