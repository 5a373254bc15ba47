// The root of a source becomes a link, or another folder, while svc runs: nothing in it is read.
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { createTokenFor, output } from "../spec/credential-commands.ts";
import { JSON_BODY, post, startHttp } from "../spec/http-server.ts";
import { createPlace, svc, type Place } from "../spec/program.ts";
import { promise, sized } from "./promise.ts";

/** Occurs in the text, names and commits of the victim, and nowhere else. */
const CANARY = "Zq4victimCanary";
const OWN = "Zq4ownWord";

interface Scene {
  readonly place: Place;
  /** The source, of a namespace of the same name. */
  readonly sub: string;
  readonly victim: string;
}

/** Two repositories with the same files, one of which is indexed. */
function scene(): Scene {
  const place = createPlace();
  onTestFinished(place.remove);
  const base = dirname(place.root);
  const [sub, victim] = [join(base, "sub"), join(base, "victim")];
  repository(sub, OWN);
  repository(victim, CANARY);
  return { place, sub, victim };
}

function inRepository(path: string, ...words: readonly string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
  execFileSync("git", ["-C", path, ...who, ...words], { stdio: "ignore" });
}

function repository(path: string, word: string): void {
  const git = (...words: readonly string[]): void => inRepository(path, ...words);
  mkdirSync(path);
  git("init", "--quiet");
  const file = (body: string): void =>
    writeFileSync(
      join(path, "a.ts"),
      `export function ${word}(): string {\n  return ${body};\n}\n`,
    );
  file("'first'");
  writeFileSync(join(path, "other.ts"), `export const ${word}Other = "${word}";\n`);
  git("add", ".");
  git("commit", "--quiet", "-m", `begin ${word}`);
  file("'second'");
}

type Call = (tool: string, input: Readonly<Record<string, unknown>>) => Promise<string>;

/** Words that could reveal the content of a folder; none of them names the canary itself. */
const QUESTIONS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["search_text", { pattern: "Zq4|return|other", regex: true }],
  ["search_context", { query: "which function returns second" }],
  ["read_context", { targets: ["a.ts"] }],
  ["read_context", { targets: ["other.ts"] }],
  ["list_changes", { since: "HEAD" }],
  ["analyze_impact", { target: "working" }],
  ["analyze_impact", { target: "HEAD" }],
  ["find_related", { target: "a.ts" }],
  ["find_symbol", { name: "Zq4" }],
  ["outline", {}],
];

async function served({
  place,
}: Pick<Scene, "place">): Promise<{ call: Call; close: () => Promise<unknown> }> {
  const { token } = await createTokenFor(place, "--namespace", "sub");
  const server = await startHttp(place, "--namespace", "sub");
  const headers = { ...JSON_BODY, Authorization: `Bearer ${token}` };
  const call: Call = async (name, input) => {
    const params = { name, arguments: input };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const answer = await post<unknown>(`${server.url}/mcp`, headers, body);
    return JSON.stringify(answer.body);
  };
  return { call, close: () => server.close() };
}

const isUnavailable = async (call: Call): Promise<boolean> =>
  (await call("index_status", {})).includes('"available":false');

/** Runs all queries until the source is reported as unavailable, and some rounds after that. */
async function askAll(call: Call, rounds: number): Promise<number> {
  let queries = 0;
  let after = 0;
  for (let round = 0; round < 150 && after < rounds; round += 1) {
    for (const [tool, input] of QUESTIONS) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      expect([tool, await call(tool, input)]).toEqual([tool, expect.not.stringContaining(CANARY)]);
      queries += 1;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (await isUnavailable(call)) after += 1;
    // oxlint-disable-next-line no-await-in-loop -- checks of the files run between the rounds
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(after).toBe(rounds);
  return queries;
}

const ROUNDS = sized({ quick: 15, full: 100 });

promise(
  [45],
  "a source whose root becomes a link is unavailable, for the server that runs and for the next one",
  async () => {
    const all = scene();
    const { place, sub, victim } = all;
    await output(place, "index", sub, "--namespace", "sub");
    let cases = 0;
    const first = await served(all);
    expect(await first.call("read_context", { targets: ["a.ts"] })).toContain(OWN);
    renameSync(sub, `${sub}-old`);
    symlinkSync(victim, sub);
    cases += await askAll(first.call, ROUNDS);
    const indexed = await first.call("index_source", { source: sub });
    expect(indexed).not.toContain(CANARY);
    expect(await first.call("index_source", { source: join(sub, "..", "victim") })).not.toContain(
      CANARY,
    );
    await first.close();
    const next = await served(all);
    cases += await askAll(next.call, 3);
    // The owner names the link, which confirms no root.
    const named = await svc(place, "index", sub);
    expect([named.exit, named.stderr]).toEqual([2, expect.stringContaining("symbolic link")]);
    const doctor = await svc(place, "doctor", "--json");
    expect(doctor.stdout).toContain("now a symbolic link leads to another place");
    expect((await svc(place, "status")).stdout).toContain(
      "now a symbolic link leads to another place",
    );
    cases += await askAll(next.call, 1);
    expect(await next.call("search_context", { query: "second" })).toContain("--remove");
    // svc reads the folder again when it is back in its place.
    unlinkSync(sub);
    renameSync(`${sub}-old`, sub);
    expect(await next.call("read_context", { targets: ["a.ts"] })).toContain(OWN);
    await next.close();
    return cases;
  },
);

promise(
  [45],
  "another folder in the place of a source is read once its owner has named it",
  async () => {
    const all = scene();
    const { place, sub, victim } = all;
    await output(place, "index", sub, "--namespace", "sub");
    const { call, close } = await served(all);
    renameSync(sub, `${sub}-old`);
    renameSync(victim, sub);
    const cases = await askAll(call, 5);
    expect(await call("index_source", { source: sub })).not.toContain(CANARY);
    expect(await isUnavailable(call)).toBe(true);
    await output(place, "index", sub, "--namespace", "sub");
    expect(await isUnavailable(call)).toBe(false);
    expect(await call("read_context", { targets: ["a.ts"] })).toContain(CANARY);
    await close();
    return cases;
  },
);

promise(
  [45],
  "a commit that turns an indexed folder into a link shows nothing of what it leads to",
  async () => {
    const all = scene();
    const { place, sub: outer, victim } = all;
    const sub = join(outer, "sub");
    mkdirSync(sub);
    writeFileSync(join(sub, "a.ts"), `export function ${OWN}(): string {\n  return 'x';\n}\n`);
    inRepository(outer, "add", ".");
    inRepository(outer, "commit", "--quiet", "-m", "a folder");
    inRepository(outer, "rm", "-r", "--quiet", "--cached", "sub");
    const link = execFileSync("git", ["-C", outer, "hash-object", "-w", "--stdin"], {
      input: victim,
    });
    inRepository(
      outer,
      "update-index",
      "--add",
      "--cacheinfo",
      `120000,${String(link).trim()},sub`,
    );
    inRepository(outer, "commit", "--quiet", "-m", "a link");
    inRepository(outer, "checkout", "--quiet", "--force", "HEAD~1");
    await output(place, "index", sub, "--namespace", "sub");
    const { call, close } = await served(all);
    inRepository(outer, "checkout", "--quiet", "--force", "HEAD@{1}");
    expect(lstatSync(sub).isSymbolicLink()).toBe(true);
    const cases = await askAll(call, 5);
    await close();
    return cases;
  },
);
