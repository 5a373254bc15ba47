// The cost of a check for changes when nothing changed, compared with the same check by git.
import { copyFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

import { timed, type Usage } from "../timed-child.ts";
import { SVC } from "../workspace.ts";
import { comparedWith, figure, peer, repeated, type Figure } from "./figure.ts";
import type { Extent, IndexedTree } from "./tree.ts";

const TARGET = "100 ms for 10k files, 700 ms for 80k";

export async function noChange(tree: IndexedTree, extent: Extent): Promise<readonly Figure[]> {
  const { root, env } = tree;
  const limits = { times: extent.isSmoke ? 3 : 9, withinMs: 30_000 };
  const gitEnv = gitEnvironment(tree);
  // They alternate, so that both run under the same load; the first round of each warms the caches.
  const round = async (): Promise<{ bare: Usage; look: Usage; git: Usage | undefined }> => ({
    bare: await timed([SVC, "--version"], { env }),
    look: await timed([SVC, "index", root], { env }),
    git: gitEnv && (await timed(["git", "-C", root, "status", "--porcelain"], { env: gitEnv })),
  });
  await round();
  const rounds = await repeated(limits, round);
  const cpu = figure(
    "no change, svc index less a bare start",
    rounds.map(({ bare, look }) => look.cpuMs - bare.cpuMs),
    { unit: "cpu ms", work: "files", target: TARGET },
  );
  const wall = figure(
    "no change, svc index to its end",
    rounds.map(({ look }) => look.wallMs),
    { unit: "ms", work: "files" },
  );
  const gits = rounds.flatMap(({ git }) => git ?? []);
  const gitCpu = peer(
    "git status",
    gits.map(({ cpuMs }) => cpuMs),
    cpu,
  );
  const gitWall = peer(
    "git status to its end",
    gits.map(({ wallMs }) => wallMs),
    wall,
  );
  return [comparedWith(cpu, gitCpu), gitCpu, comparedWith(wall, gitWall), gitWall];
}

/**
 * Undefined if the tree is not a repository. Git keeps its state in a copy of the tree's index, so
 * that nothing is written into the tree and the second check finds everything known.
 */
function gitEnvironment({ root, env, folder }: IndexedTree): IndexedTree["env"] | undefined {
  const copy = join(folder, "git-index");
  try {
    const index = execFileSync("git", ["-C", root, "rev-parse", "--git-path", "index"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    copyFileSync(resolve(root, index.trim()), copy);
    return { ...env, GIT_INDEX_FILE: copy };
  } catch {
    return undefined;
  }
}
