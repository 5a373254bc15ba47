import { join } from "node:path";

import { test, type TestContext } from "vitest";

import { diskCommits } from "../../src/index/commits/disk-commits.ts";
import { loadOutdated } from "../../src/index/commits/outdated-store.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { createPlace, environmentOf, exitCode, startProgram, svc } from "../spec/program.ts";

const CODE = "export function readBlobs(maxBytes) {\n  return maxBytes;\n}\n";
const PAGE = "# Lighthouses\n\nCall `readBlobs()` to read the lighthouse.\n";

interface Watched extends GitRepository {
  /** Starts a command that watches; returns what it has printed so far, and what ends it. */
  readonly start: (...args: readonly string[]) => {
    readonly said: () => string;
    readonly end: () => Promise<number | null>;
  };
  /** Runs a command to its end. */
  readonly run: (...args: readonly string[]) => ReturnType<typeof svc>;
  /** Names that are stored as gone. */
  readonly noted: () => readonly string[];
}

function watched({ onTestFinished }: Pick<TestContext, "onTestFinished">): Watched {
  const repository = gitRepository();
  const other = createPlace();
  const place = { ...other, root: repository.path };
  onTestFinished(() => {
    other.remove();
    repository.dispose();
  });
  const commits = diskCommits(environmentOf(place)["SERVICE_HOME"] ?? "");
  return {
    ...repository,
    start: (...args) => {
      const child = startProgram(place, args);
      onTestFinished(() => void child.kill("SIGKILL"));
      let said = "";
      child.stderr.on("data", (text: string) => (said += text));
      return {
        said: () => said,
        end: () => {
          child.kill("SIGTERM");
          return exitCode(child);
        },
      };
    },
    run: (...args) => svc(place, ...args),
    noted: () => loadOutdated(commits, "project").statements.map(({ name }) => name),
  };
}

const POLLING = { timeout: 30_000, interval: 100 };

test.concurrent.for([
  { command: "watch", exit: 130 },
  { command: "index --watch", exit: 0 },
])(
  "svc $command keeps the notes current while HEAD moves, and ends at once",
  { timeout: 60_000 },
  async ({ command, exit }, { expect, onTestFinished }) => {
    const one = watched({ onTestFinished });
    one.commit({ "src/read.js": CODE }, "Begin");
    one.commit({ "docs/page.md": PAGE }, "Describe it");
    await one.run("index", "--namespace", "project");
    const asked = await one.run("changes", "--docs");
    expect(asked.exit, asked.stderr).toBe(0);
    expect(one.noted()).toEqual([]);
    const process = one.start(...command.split(" "));
    await expect.poll(process.said, POLLING).toContain("Watching");
    one.commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
    await expect.poll(one.noted, POLLING).toEqual(["readBlobs"]);
    const noted = await one.run("read", join("docs", "page.md"));
    expect(noted.stdout).toContain("line 3: `readBlobs` was renamed to `readAll` in ");
    expect(await process.end()).toBe(exit);
  },
);
