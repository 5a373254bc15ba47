// Ignore files that cannot be read must not let the files they may name into the index.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { output } from "../spec/credential-commands.ts";
import { createPlace, createToken } from "../spec/program.ts";
import { startServer } from "../spec/stdio-client.ts";
import { promise } from "./promise.ts";

/** Ways to make `path` an ignore file that cannot be used; each begins with rules that name `hidden.ts`. */
const UNUSABLE: Readonly<Record<string, (path: string) => void>> = {
  "larger than 1 MiB": (path) => writeFileSync(path, `hidden.ts\n${"# padding\n".repeat(120_000)}`),
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a link to rules": (path) => {
    writeFileSync(`${path}-rules`, "hidden.ts\n");
    symlinkSync(`${path}-rules`, path);
  },
  "a link to nothing": (path) => symlinkSync("nowhere", path),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
};

const CANARY = "export const ignoredCanary = 1;\n";
const FILES = {
  "plain.ts": "export const plain = 1;\n",
  "sub/deep/hidden.ts": CANARY,
  "sub/hidden.ts": CANARY,
  "sub/tracked.ts": "export const trackedCanary = 1;\n",
};

interface Status {
  readonly last_run: { readonly warnings: readonly string[] };
  readonly skipped_files: readonly unknown[];
}

interface Project {
  readonly root: string;
  /** Paths of FILES that a search for text finds after a run. */
  readonly found: () => Promise<readonly string[]>;
  readonly status: () => Promise<Status>;
  /** The same in the output of a command. */
  readonly printedStatus: () => Promise<string>;
}

/**
 * A repository that tracks two files of its project. One session of the program indexes and searches it in all its
 * states: a command for each would take three times as much processor time.
 */
async function project(): Promise<Project> {
  const place = createPlace(FILES);
  onTestFinished(place.remove);
  const { root } = place;
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "plain.ts", "sub/tracked.ts"], { cwd: root });
  const session = startServer(place, { SERVICE_TOKEN: await createToken(place) });
  onTestFinished(async () => expect(await session.close()).toBe(0));
  await session.request("initialize", { clientInfo: { name: "owner" } });
  const ask = async (tool: string, input: unknown): Promise<string> =>
    (await session.items(tool, input)).map(({ text }) => text).join("\n");
  return {
    root,
    async found() {
      expect(await ask("index_source", { source: root })).toContain('"done":true');
      const pattern = { pattern: "Canary|plain", regex: true, output: "files" };
      const lines = (await ask("search_text", pattern)).split("\n");
      return Object.keys(FILES).filter((path) => lines.some((line) => line.startsWith(`${path}:`)));
    },
    async status() {
      const call = { name: "index_status", arguments: { detail: "skipped" } };
      const { result } = await session.request("tools/call", call);
      const content: unknown = result?.structuredContent;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the program
      return (content as { namespaces: readonly [Status] }).namespaces[0];
    },
    printedStatus: () => output(place, "status", "--skipped"),
  };
}

/** The search results while each of the unusable files is at `name`, which `status` must list as `entry`. */
async function expectFound(name: string, paths: readonly string[], entry = name): Promise<number> {
  const { root, found, status, printedStatus } = await project();
  const path = join(root, name);
  for (const [how, spoil] of Object.entries(UNUSABLE)) {
    rmSync(path, { force: true });
    spoil(path);
    // oxlint-disable-next-line no-await-in-loop -- one state of the project after the other
    expect([how, await found()]).toEqual([how, paths]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { last_run: run, skipped_files: skipped } = await status();
    expect([how, run.warnings]).toEqual([how, [expect.stringContaining(`"${path}" `)]]);
    expect(skipped).toContainEqual({ path: entry, reason: "ignore-rules" });
    rmSync(`${path}-rules`, { force: true });
  }
  expect(await printedStatus()).toMatch(
    new RegExp(`Warning: "${path}" .*\n(?:.*\n)*    ignore-rules  ${entry}\n`),
  );
  rmSync(path);
  expect(await found()).toEqual(Object.keys(FILES));
  return Object.keys(UNUSABLE).length;
}

promise([10, 33], "of what an unusable .gitignore may name only tracked files are indexed", () =>
  expectFound("sub/.gitignore", ["plain.ts", "sub/tracked.ts"]),
);

promise([10, 33], "an unusable info/exclude leaves only what git tracks", () =>
  expectFound(".git/info/exclude", ["plain.ts", "sub/tracked.ts"], ".git"),
);

promise([10, 33], "an unusable .svcignore closes its folder, also to tracked files", () =>
  expectFound("sub/.svcignore", ["plain.ts"]),
);

promise([10, 33], "an unusable .ignore closes its folder, also to tracked files", () =>
  expectFound("sub/.ignore", ["plain.ts"]),
);

promise([10, 33], "a directory called .gitignore holds no rules, as for git", async () => {
  const { root, found } = await project();
  mkdirSync(join(root, "sub/.gitignore"));
  expect(await found()).toEqual(Object.keys(FILES));
  return 1;
});
