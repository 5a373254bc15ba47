// Branches are checked out repeatedly, under a server of the built program that is queried meanwhile.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { expect, onTestFinished } from "vitest";

import { makeProject, pathOf, textOf, wordOf } from "../../bench/freshness/project.ts";
import { Server, until } from "../../bench/freshness/server.ts";
import { homesIn, runSvc, withToken } from "../../bench/workspace.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { tree } from "../helpers/tree.ts";
import { promise, sized } from "./promise.ts";

const LAG_MS = 120_000;
const SAMPLES = 5;

promise(
  [14],
  "after any number of checkouts, the index has the content of the branch, and every query in between is answered",
  async () => {
    const files = sized({ quick: 60, full: 2000, soak: 10_000 });
    const checkouts = sized({ quick: 2, full: 20 });
    const { git, commit, ...repository } = gitRepository();
    const base = tree();
    onTestFinished(() => (repository.dispose(), base.dispose()));
    const root = repository.path;
    makeProject(root, files);
    commit({});
    git("checkout", "-q", "-b", "other");
    // The words of one branch are not those of the other.
    for (let at = 0; at < files; at += 1) {
      writeFileSync(join(root, pathOf(at)), textOf(at + files, 1));
    }
    commit({});
    const env = withToken(homesIn(base.path)());
    runSvc(["index", root], env);
    const server = await Server.start(root, env);
    onTestFinished(() => void server.kill());
    const samples = Array.from({ length: SAMPLES }, (_, at) => Math.floor((at * files) / SAMPLES));
    for (let round = 0; round < checkouts; round += 1) {
      const branch = round % 2 === 0 ? "main" : "other";
      git("checkout", "-q", branch);
      const isThere = async (): Promise<boolean> => {
        const found = await Promise.all(
          samples.map((at) =>
            Promise.all([at, at + files].map((word) => server.filesWith(`the ${wordOf(word)} of`))),
          ),
        );
        const wanted = samples.map((at) =>
          branch === "main" ? [[pathOf(at)], []] : [[], [pathOf(at)]],
        );
        return isDeepStrictEqual(found, wanted);
      };
      await until(isThere, { withinMs: LAG_MS, everyMs: 20 });
    }
    expect(server.warnings).toEqual([]);
    return checkouts;
  },
);
