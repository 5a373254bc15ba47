// Parses `.svc.toml`. The file is hostile input: only its syntax tree is read, no object is made of its keys, and no text of
// it is repeated in a warning but the name of a key.

import { parseTOML, type AST } from "toml-eslint-parser";

import { SvcError } from "../../base/errors.ts";
import { isLanguage } from "../../scan/languages.ts";
import { isNamespaceName } from "../../sources/namespace.ts";
import { globAlternatives, requireGlobs } from "../files/require-glob.ts";
import type { ProjectSettings } from "./project-settings.ts";

const KEYS = ["namespace", "include", "exclude", "languages", "documents"] as const;
/** The limits of index_source. */
const MAX_ITEMS = 100;
const MAX_ITEM_LENGTH = 1000;
const MAX_WARNINGS = 5;

interface Problem {
  readonly line: number;
  /** Completes the sentence "Line 3: …". */
  readonly what: string;
}

interface Values {
  namespace?: string;
  include?: readonly string[];
  exclude?: readonly string[];
  languages?: readonly string[];
  documents?: boolean;
}

/** Parses the content of the file `path`. Uses each setting that is valid, and has a warning for everything else. */
export function parseProjectSettings(path: string, bytes: Uint8Array): ProjectSettings {
  const problems: Problem[] = [];
  const values: Values = {};
  for (const node of statementsOf(bytes, problems)) {
    const line = node.loc.start.line;
    const key = keyOf(node);
    if (node.type === "TOMLTable" || !isKnown(key)) {
      problems.push({
        line,
        what: `${shownKey(key)} is not a setting of a project (${KEYS.join(", ")})`,
      });
      continue;
    }
    const what = readSetting(values, key, node.value);
    if (what !== undefined) problems.push({ line, what: `"${key}" ${what}` });
  }
  const { namespace, ...filter } = values;
  return {
    filter,
    ...(namespace === undefined ? {} : { namespace }),
    warnings: warningsOf(path, problems),
  };
}

/** The statements of the file; none, with a problem, if it is not TOML. */
function statementsOf(
  bytes: Uint8Array,
  problems: Problem[],
): readonly (AST.TOMLKeyValue | AST.TOMLTable)[] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return parseTOML(text).body[0].body;
  } catch (thrown) {
    // Deep nesting overflows the stack of the parser, which is an error like any other.
    const { lineNumber } = Object(thrown);
    const line = typeof lineNumber === "number" ? lineNumber : 1;
    problems.push({ line, what: "it is not valid TOML, so none of it is used" });
    return [];
  }
}

/** The key of a statement; undefined for a dotted one. */
function keyOf({ key }: AST.TOMLKeyValue | AST.TOMLTable): string | undefined {
  const [first, second] = key.keys;
  if (first === undefined || second !== undefined) return undefined;
  return first.type === "TOMLBare" ? first.name : first.value;
}

function isKnown(key: string | undefined): key is (typeof KEYS)[number] {
  return KEYS.some((known) => known === key);
}

/** A model reads warnings: a key that is not a short word is not repeated. */
function shownKey(key: string | undefined): string {
  return key !== undefined && /^[\w-]{1,24}$/.test(key) ? `"${key}"` : "this";
}

/** Sets the value of a setting. Returns what is wrong with it, to complete the sentence "The setting …". */
function readSetting(
  values: Values,
  key: (typeof KEYS)[number],
  node: AST.TOMLContentNode,
): string | undefined {
  if (key === "documents") {
    const value = node.type === "TOMLValue" && node.kind === "boolean" ? node.value : undefined;
    if (value === undefined) return "must be true or false";
    values.documents = value;
    return undefined;
  }
  if (key === "namespace") {
    const value = stringOf(node);
    if (value === undefined || !isNamespaceName(value)) {
      return "must be 1 to 64 of a-z, 0-9, `.`, `_` and `-`, beginning with a letter or digit";
    }
    values.namespace = value;
    return undefined;
  }
  if (node.type !== "TOMLArray") return "must be a list of strings";
  const items = node.elements.map(stringOf);
  const isValid = key === "languages" ? isLanguage : isGlob;
  const valid = items.filter((item) => item !== undefined && isValid(item));
  const texts = valid.flatMap((item) =>
    key === "languages" ? (item ?? []) : globAlternatives(item ?? ""),
  );
  values[key] = texts.slice(0, MAX_ITEMS);
  if (valid.length === items.length && texts.length <= MAX_ITEMS) return undefined;
  const kind = key === "languages" ? "names of languages" : "globs";
  return `has values that are not used: it takes up to ${MAX_ITEMS} ${kind}`;
}

function stringOf(node: AST.TOMLContentNode): string | undefined {
  return node.type === "TOMLValue" && node.kind === "string" ? node.value : undefined;
}

function isGlob(text: string): boolean {
  if (text.trim() === "" || text.length > MAX_ITEM_LENGTH || text.includes("\n")) return false;
  try {
    requireGlobs({ include: [text] });
    return true;
  } catch (thrown) {
    if (thrown instanceof SvcError) return false;
    throw thrown;
  }
}

function warningsOf(path: string, problems: readonly Problem[]): readonly string[] {
  const shown = problems
    .slice(0, MAX_WARNINGS)
    .map(({ line, what }) => `"${path}", line ${line}: ${what}.`);
  const more = problems.length - shown.length;
  return more === 0 ? shown : [...shown, `"${path}" has ${more} more problems.`];
}
