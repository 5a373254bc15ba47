// Answers depend only on the content of the files, and not on their history: after updates, from bases and for commits,
// the answers and scores equal those of a fresh index of the same tree, to the last bit of each number.
import { execFileSync } from "node:child_process";
import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { pick, seededRandom, type Random } from "../../../bench/quality/random.ts";
import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { differences } from "../../helpers/differences.ts";
import { request, SEARCH, type Project } from "../../helpers/project.ts";
import { plant } from "../../helpers/tree.ts";
import { engineOnDisk, indexed, repositoryOf } from "../fixtures/worktrees.ts";

const SUBJECTS = ["token", "session", "cache", "route", "parser", "budget", "mirror", "ticket"];
const VERBS = ["open", "revoke", "merge", "render", "count", "verify"];
const COMMON = ["when the server starts", "for each request", "with a limit", "before it ends"];

function someOf(words: readonly string[], random: Random): string {
  return pick(words, random) ?? "";
}

function sentence(random: Random): string {
  const [subject, verb, other] = [SUBJECTS, VERBS, SUBJECTS].map((words) => someOf(words, random));
  return `How to ${verb} the ${subject} ${someOf(COMMON, random)} and the ${other} is old.`;
}

function sentences(random: Random, count = 1 + Math.floor(random() * 4)): readonly string[] {
  return Array.from({ length: count }, () => sentence(random));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The content of a file, which depends on its extension. */
function contentOf(path: string, random: Random): string {
  const [subject, other] = [someOf(SUBJECTS, random), someOf(SUBJECTS, random)];
  const verb = someOf(VERBS, random);
  if (path.endsWith(".md"))
    return sentences(random)
      .flatMap((text) => [`## ${capital(someOf(VERBS, random))} a ${other}`, "", text, ""])
      .join("\n");
  const comment = sentences(random).map((text) => `// ${text}`);
  if (path.endsWith(".c"))
    return [
      ...comment,
      random() < 0.3 ? `struct ${subject} { int ${other}; };` : `static int ${other}_count;`,
      `int ${verb}_${subject}(int ${other}) { return ${other}; }`,
      "",
    ].join("\n");
  return [
    ...comment,
    `export function ${verb}${capital(subject)}(${other}: string): string {`,
    `  return ${someOf(VERBS, random)}${capital(other)}(${other} + "${subject}");`,
    "}",
    `export class ${capital(subject)}${capital(other)} {`,
    `  ${verb}(): void {}`,
    "}",
    "",
  ].join("\n");
}

const FOLDERS = ["src", "src/net", "docs", "test"];

function newPath(random: Random): string {
  const folder = someOf(FOLDERS, random);
  const extension = folder === "docs" ? "md" : someOf(["ts", "ts", "c", "md"], random);
  return `${folder}/${someOf(SUBJECTS, random)}-${Math.floor(random() * 1e6)}.${extension}`;
}

function newFiles(count: number, random: Random): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, () => newPath(random)).map((path) => [
      path,
      contentOf(path, random),
    ]),
  );
}

function pathsIn(folder: string): readonly string[] {
  return FOLDERS.flatMap((name) =>
    readdirSync(join(folder, name), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${name}/${entry.name}`),
  ).toSorted();
}

/** Changes, deletes, renames and adds some files. */
function edit(folder: string, random: Random, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const path = someOf(pathsIn(folder), random);
    const kind = random();
    if (kind < 0.5) plant(folder, { [path]: contentOf(path, random) });
    else if (kind < 0.7) rmSync(join(folder, path));
    else if (kind < 0.85) renameSync(join(folder, path), join(folder, newPath(random)));
    else plant(folder, newFiles(1, random));
  }
}

const QUESTIONS = [
  "how to revoke the token when the server starts",
  "render a route for each request with a limit",
  "where is the budget counted",
  "merge the mirror and the old cache before it ends and verify each ticket",
  "openSession",
  "budget_count",
  "revok the tokn",
];
const NAMES = ["openToken", "token", "mergeCache", "Session", "count", "verfyTicket"];

/** All answers of an index to these questions, without times and versions. */
async function answersOf(
  { engine, tool }: Project,
  namespace: string,
  { at, withTools = true }: { readonly at?: string | undefined; readonly withTools?: boolean } = {},
): Promise<Record<string, unknown>> {
  const common = { ...request(), namespace, at };
  const answers: Record<string, unknown> = {};
  for (const query of QUESTIONS) {
    /* oxlint-disable no-await-in-loop -- one question after the other */
    for (const limits of [{}, { path: "src/**" }, { kinds: ["docs" as const] }]) {
      const { passages, confidence, isWeak, corrections } = await engine.search({
        ...common,
        ...SEARCH,
        ...limits,
        limit: 30,
        query,
      });
      answers[`${query} ${JSON.stringify(limits)}`] = {
        passages,
        confidence,
        isWeak,
        corrections,
      };
    }
    if (withTools) {
      const { text, outcome } = await tool("search_context", { query, namespace });
      answers[`tool ${query}`] = stable(JSON.stringify([text, outcome]));
    }
  }
  for (const name of NAMES) {
    const { symbols, total } = await engine.findSymbols({ ...common, name, limit: 30 });
    answers[`symbol ${name}`] = { symbols, total };
    /* oxlint-enable no-await-in-loop */
  }
  return answers;
}

/** Without the parts that name the version of an index. */
function stable(text: string): string {
  return text
    .replaceAll(/(generation(?:\\*":)? ?)\d+/g, "$1")
    .replaceAll(/((?:tookMs|took_ms)\\*":)[\d.]+/g, "$1")
    .replaceAll(/(cursor\\*":? ?\\*")[\w-]+/g, "$1");
}

/** The number of deleted files in segments with live ones. */
function deletedFiles({ data }: Project, namespace: string): number {
  const catalog = Catalog.openToRead(indexLayout(data, namespace).catalog);
  try {
    return (catalog?.segments.all() ?? []).reduce((sum, { tombstones }) => {
      const deleted = tombstones.filter((one) => one === 1).length;
      return sum + (deleted < tombstones.length ? deleted : 0);
    }, 0);
  } finally {
    catalog?.close();
  }
}

async function expectFreshAnswers(
  folder: string,
  project: Project,
  { namespace, at }: { readonly namespace: string; readonly at?: string },
): Promise<void> {
  const fresh = engineOnDisk();
  await indexed(fresh, folder, namespace);
  // No tool accepts a commit.
  const withTools = at === undefined;
  const expected = await answersOf(fresh, namespace, { withTools });
  expect(JSON.stringify(expected).length).toBeGreaterThan(100_000);
  expect(differences(await answersOf(project, namespace, { at, withTools }), expected)).toEqual([]);
}

test("after updates", { timeout: 60_000 }, async () => {
  const random = seededRandom("updates");
  const { main } = repositoryOf(newFiles(44, random));
  const project = engineOnDisk();
  await indexed(project, main.path, "ns");
  let deleted = 0;
  for (const edits of [1, 6, 3]) {
    /* oxlint-disable no-await-in-loop -- one update after the other */
    edit(main.path, random, edits);
    await indexed(project, main.path, "ns");
    deleted += deletedFiles(project, "ns");
    await expectFreshAnswers(main.path, project, { namespace: "ns" });
    /* oxlint-enable no-await-in-loop */
  }
  expect(deleted).toBeGreaterThan(4);
});

test("from a base, of a commit, and after a switch back", { timeout: 60_000 }, async () => {
  const random = seededRandom("base");
  const trees = repositoryOf(newFiles(44, random));
  const project = engineOnDisk();
  const { path } = trees.main;
  await indexed(project, path, "main");
  const next = trees.add("next");
  edit(next, random, 9);
  await indexed(project, next, "next");
  expect(deletedFiles(project, "next")).toBeGreaterThan(3);
  await expectFreshAnswers(next, project, { namespace: "next" });
  // A word of the folder's name would have less weight in a question.
  const first = trees.add("zebra");
  edit(path, random, 18);
  await indexed(project, path, "main");
  await expectFreshAnswers(first, project, { namespace: "main", at: "HEAD" });
  execFileSync("git", ["checkout", "-q", "-f", "HEAD"], { cwd: path });
  execFileSync("git", ["clean", "-q", "-f", "-d"], { cwd: path });
  await indexed(project, path, "main");
  await expectFreshAnswers(path, project, { namespace: "main" });
});
