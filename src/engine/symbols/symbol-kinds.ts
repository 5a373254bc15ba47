// The words of programmers for definitions, and the kinds of the index that they mean.

import type { ChunkKind } from "../../index/types.ts";

interface StoredKinds {
  readonly kinds: readonly ChunkKind[];
  /** Also meant where nothing of `kinds` has the very name: languages differ in what they call a thing. */
  readonly related: readonly ChunkKind[];
}

const TYPE: StoredKinds = { kinds: ["class", "type"], related: [] };
const FUNCTION: StoredKinds = { kinds: ["function"], related: ["method"] };
const METHOD: StoredKinds = { kinds: ["method"], related: ["function"] };
const VALUE: StoredKinds = { kinds: ["constant"], related: ["field"] };
const FIELD: StoredKinds = { kinds: ["field"], related: ["constant", "method"] };
const MODULE: StoredKinds = { kinds: ["module"], related: [] };
const SECTION: StoredKinds = { kinds: ["section"], related: [] };

/** In lower case. */
const KINDS_BY_WORD: ReadonlyMap<string, StoredKinds> = new Map([
  ...["type", "class", "struct", "interface", "trait", "enum"].map((word) => [word, TYPE] as const),
  ...["record", "protocol", "union", "typedef", "alias"].map((word) => [word, TYPE] as const),
  ...["function", "func", "fn", "def", "procedure"].map((word) => [word, FUNCTION] as const),
  ["macro", { kinds: ["function", "constant"], related: [] }],
  ...["method", "constructor"].map((word) => [word, METHOD] as const),
  ...["constant", "const", "variable", "var", "let", "static"].map(
    (word) => [word, VALUE] as const,
  ),
  ...["field", "property", "attribute", "member"].map((word) => [word, FIELD] as const),
  ...["module", "namespace", "package"].map((word) => [word, MODULE] as const),
  ...["section", "heading"].map((word) => [word, SECTION] as const),
]);

/** Every word that is understood. */
export const KIND_WORDS: readonly string[] = [...KINDS_BY_WORD.keys()];

/** Undefined for a word that is not a kind of definition; in whatever case. */
export function storedKindsOf(word: string): StoredKinds | undefined {
  return KINDS_BY_WORD.get(word.toLowerCase());
}
