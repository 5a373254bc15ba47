// Asks svc the questions about documents, in a project of code and documents.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import * as v from "valibot";

import type { Environment } from "../workspace.ts";
import { DOCS } from "./project.ts";
import type { GroupQuestion } from "./questions.ts";
import {
  htmlHeadings,
  isRightPlace,
  type DocumentResult,
  type LinesOfHeading,
} from "./right-place.ts";
import type { AnsweredQuestion } from "./score.ts";

const LIMIT = 10;

const ANSWER = v.object({
  results: v.array(
    v.object({
      path: v.string(),
      place: v.optional(v.string()),
      start_line: v.number(),
      end_line: v.number(),
      text: v.string(),
    }),
  ),
});

interface AskedProject {
  readonly svc: string;
  readonly root: string;
  readonly env: Environment;
}

/** Asks each question once. `documents`: the folder with the documents as files. */
export function askQuestions(
  questions: readonly GroupQuestion[],
  documents: string,
  project: AskedProject,
): readonly AnsweredQuestion[] {
  const headings = new Map<string, LinesOfHeading>();
  return questions.map((question) => {
    const { group, set, document, question: text } = question;
    const asked = { group, set, document, question: text };
    let results: readonly DocumentResult[];
    try {
      results = resultsFor(text, project);
    } catch (failure) {
      const error = failure instanceof Error ? failure.message : String(failure);
      return { ...asked, rank: undefined, places: [], error };
    }
    const linesOfHeading = headings.get(document) ?? headingsOf(join(documents, document));
    headings.set(document, linesOfHeading);
    const at = results.findIndex((result) => isRightPlace(question, result, linesOfHeading));
    return { ...asked, rank: at === -1 ? undefined : at + 1, places: results.map(placeText) };
  });
}

function headingsOf(file: string): LinesOfHeading {
  return file.endsWith(".html") ? htmlHeadings(readFileSync(file, "utf8")) : () => undefined;
}

function placeText({ path, place, start_line, end_line }: DocumentResult): string {
  return `${place ?? path} (${start_line}-${end_line})`;
}

/** The results with paths as in the manifest. Results in other files of the project keep their paths. */
function resultsFor(query: string, { svc, root, env }: AskedProject): readonly DocumentResult[] {
  const args = ["search", query, "--json", "--limit", String(LIMIT)];
  const { status, stdout, stderr } = spawnSync(svc, args, {
    cwd: root,
    env,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  // 1 means that nothing was found.
  if (status !== 0 && status !== 1) throw new Error(`svc search ended with ${status}: ${stderr}`);
  const { results } = v.parse(ANSWER, JSON.parse(stdout));
  return results.map(({ path, place, ...lines }) => ({
    ...lines,
    path: withoutFolder(path),
    ...(place === undefined ? {} : { place: withoutFolder(place) }),
  }));
}

function withoutFolder(path: string): string {
  return path.startsWith(`${DOCS}/`) ? path.slice(DOCS.length + 1) : path;
}
