// The queries with the files that answer them, and their corpora: folders of JSON, a file
// for each suite and corpora.json.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import * as v from "valibot";

import { SvcError } from "../../src/base/errors.ts";

const GOLD = v.object({
  /** From the root of the corpus, with `/`. */
  path: v.string(),
  /** Relevance of the answer; 1 if a suite does not grade. */
  grade: v.optional(v.number()),
  /** First and last line, 1-based. */
  start: v.optional(v.number()),
  end: v.optional(v.number()),
});

const QUESTION = v.object({
  id: v.string(),
  suite: v.string(),
  /** Id of its corpus. */
  corpus: v.string(),
  /** Programming language, `markdown` or `text`. */
  lang: v.string(),
  type: v.string(),
  query: v.string(),
  gold: v.pipe(v.array(GOLD), v.minLength(1)),
});

const CORPUS = v.object({
  id: v.string(),
  /** The recipe that makes the files from those of the repository: see recipes.ts. */
  kind: v.picklist(["git", "nodoc", "docs", "tldr", "cranfield", "cosqa"]),
  /** `owner/name`. */
  github: v.string(),
  /** 40 hex digits. */
  commit: v.string(),
  language: v.string(),
  /** The folder that suites of the scope `root` index; empty for the whole corpus. */
  root: v.optional(v.string(), ""),
  /** `docs`: a regular expression for the paths that belong to the corpus. */
  filter: v.optional(v.string()),
  /** `docs`: the link texts that are questions and are therefore blanked. */
  blank: v.optional(v.array(v.string())),
});

export type Gold = v.InferOutput<typeof GOLD>;
export type Question = v.InferOutput<typeof QUESTION>;
export type Corpus = v.InferOutput<typeof CORPUS>;

export interface Library {
  readonly questions: readonly Question[];
  readonly corpora: ReadonlyMap<string, Corpus>;
}

const CORPORA_FILE = "corpora.json";

/** The questions that come with the bench. */
export const OWN_QUESTIONS = join(import.meta.dirname, "questions");

/**
 * Reads folders of queries. If several folders hold a suite or a corpus, the first counts. Throws
 * USAGE for unreadable files and for queries about a corpus that no folder describes.
 */
export function loadLibrary(folders: readonly string[]): Library {
  const all = folders.map(readFolder);
  // Later entries of a map win.
  const corpora = new Map(
    all
      .toReversed()
      .flatMap((folder) => folder.corpora.map((corpus) => [corpus.id, corpus] as const)),
  );
  const questions = all.flatMap((folder, at) => {
    const known = new Set(all.slice(0, at).flatMap((before) => before.questions.map(suiteOf)));
    return folder.questions.filter((question) => !known.has(suiteOf(question)));
  });
  const lost = questions.find(({ corpus }) => !corpora.has(corpus));
  if (lost !== undefined) {
    throw new SvcError("USAGE", `Question ${lost.id} is about the unknown corpus ${lost.corpus}.`, {
      hint: `Describe it in ${CORPORA_FILE} of its folder.`,
    });
  }
  return { questions, corpora };
}

function suiteOf({ suite }: Question): string {
  return suite;
}

function readFolder(folder: string): {
  readonly questions: readonly Question[];
  readonly corpora: readonly Corpus[];
} {
  const files = jsonFilesOf(folder);
  const suites = files.filter((file) => file !== CORPORA_FILE);
  return {
    questions: suites.flatMap((file) => readJson(join(folder, file), v.array(QUESTION))),
    corpora: files.includes(CORPORA_FILE)
      ? readJson(join(folder, CORPORA_FILE), v.array(CORPUS))
      : [],
  };
}

function jsonFilesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted();
  } catch (cause) {
    throw new SvcError("USAGE", `The folder ${folder} cannot be read.`, {
      hint: "Name a folder with --questions or SVC_BENCH_QUESTIONS.",
      cause,
    });
  }
}

function readJson<T>(file: string, schema: v.GenericSchema<unknown, T>): T {
  const problem = (what: string, cause?: unknown): SvcError =>
    new SvcError("USAGE", `${file}: ${what}.`, {
      hint: "Its form is that of the files in bench/quality/questions.",
      cause,
    });
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw problem("not JSON", cause);
  }
  const parsed = v.safeParse(schema, content);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw problem(`${v.getDotPath(issue) ?? "the whole"}: ${issue.message}`);
}
