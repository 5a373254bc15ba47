// `--at REV` in a shared database: the indexes of commits are on the machine that has the repository.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { history, indexesIn } from "../helpers/indexed-repository.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { failureOf, placeWith } from "../helpers/shared-backend.ts";
import { runHere } from "../spec/commands-here.ts";
import type { Environment, Place, Run } from "../spec/program.ts";

const QUESTIONS = [
  ["search", "retry a failed upload", "--json"],
  ["symbols", "retry"],
  ["refs", "retry"],
  ["outline", "--json"],
  ["read", "src/upload.js"],
  ["grep", "retry"],
] as const;

function repository(prepare: (one: GitRepository) => void): GitRepository {
  const one = gitRepository();
  onTestFinished(one.dispose);
  prepare(one);
  return one;
}

const SEARCH = ["search", "upload", "--namespace", "zoo", "--at"];

const PAGES = Object.fromEntries(
  Array.from({ length: 150 }, (_, at) => [`lib/${at}.md`, `# Part ${at}\n`]),
);

/** Parts that differ between any two answers. */
function withoutTimes(text: string): string {
  return text.replace(/"(?:took_ms|generation)":\s*[\d.]+/g, "");
}

function answers(place: Place, env: Environment, at: string): Promise<readonly string[]> {
  return Promise.all(
    QUESTIONS.map(async (words) => {
      const how = ["--at", at, "--namespace", "zoo"];
      const { exit, stdout, stderr } = await runHere(place, env, ...words, ...how);
      return withoutTimes(`${exit} ${stdout}${exit === 0 ? "" : stderr}`);
    }),
  );
}

/** Copies of the namespaces in the cache of a machine. */
function copiesOf({ home }: Place): string {
  const cache = join(home, "data", "cache");
  const [folder = ""] = readdirSync(cache);
  return join(cache, folder, "namespaces");
}

needs(["postgres"], () => {
  const server = serverForTests();

  test("a commit is answered as by an index of this machine alone, for its namespace only", async () => {
    const env = { SERVICE_BACKEND: server.freshUrl(), SERVICE_SHARD_CHUNKS: "100" };
    const zoo = repository((created) => {
      // The index has several shards.
      created.commit(PAGES);
      history(created);
    });
    const park = repository(({ commit, git }) => {
      commit({ "src/retry.js": "export function retry(parkOnly) {}\n" });
      git("tag", "v1");
    });
    const [one, alone] = [placeWith(), placeWith()];
    await runHere(one, env, "index", zoo.path, "--namespace", "zoo");
    await runHere(one, env, "index", park.path, "--namespace", "park");
    await runHere(alone, {}, "index", zoo.path, "--namespace", "zoo");
    for (const at of ["v1", "v2"]) {
      // oxlint-disable-next-line no-await-in-loop -- one commit after the other
      expect(await answers(one, env, at)).toEqual(await answers(alone, {}, at));
    }
    const before = await answers(one, env, "v1");
    expect(before.join("\n")).not.toContain("parkOnly");
    expect(before.filter((text) => !/^0 [^]*retry/.test(text))).toEqual([]);
    const copies = copiesOf(one);
    expect(indexesIn(join(copies, "zoo", "revisions"))).toHaveLength(2);
    expect(existsSync(join(copies, "park", "revisions"))).toBe(false);
    await runHere(one, env, "namespaces", "remove", "zoo", "--yes");
    expect(existsSync(join(copies, "zoo"))).toBe(false);
  }, 60_000);

  test("a machine without the repository says where the commits are", async () => {
    const env = { SERVICE_BACKEND: server.freshUrl() };
    const origin = repository(history);
    const [one, other] = [placeWith(), placeWith()];
    const url = `file://${origin.path}`;
    const index = ["index", url, "--namespace", "zoo"];
    expect((await runHere(one, env, ...index)).exit).toBe(0);
    const ask = (command: string): Promise<Run> =>
      runHere(other, env, command, "retry", "--at", "v1", "--namespace", "zoo");
    for (const command of ["search", "grep", "symbols"]) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      expect(failureOf(await ask(command))).toEqual([
        2,
        `svc: The clone of ${url} is not on this machine, so its commits cannot be read.`,
        `\`svc index ${url} --namespace zoo\` fetches it.`,
      ]);
    }
    expect((await runHere(other, env, ...index)).exit).toBe(0);
    expect(failureOf(await ask("search"))).toEqual([
      2,
      'svc: The repository has no commit "v1".',
      "svc fetches one branch of a URL and no tags: give an id or `HEAD~3`, or index your own clone.",
    ]);
    const first = await runHere(other, env, ...SEARCH, "HEAD~1");
    expect(first.stdout).toContain("return retry(() => store(file), 3);");
  }, 60_000);
});
