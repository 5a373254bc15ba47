import { expect, test } from "vitest";

import { pathsOf, sharedIndexes } from "./searchable.ts";

const indexOf = sharedIndexes();

const READS = "export const workers = pool(size(env.WORKER_POOL_SIZE));\n";
const FILES = {
  "src/pool.ts": `/** A pool of workers of some size. */\n${READS}`,
  "src/worker.ts": "/** Does what a worker of the pool does. */\nexport function worker(pool) {}\n",
  "docs/settings.md":
    "# Settings\n\n## WORKER_POOL_SIZE\n\nHow many workers run at once.\n\n## POOL_NAME\n\nA name.\n",
  "docs/guide.md": "# Guide\n\nThe size of the pool of workers matters: see WORKER_POOL_SIZE.\n",
  "CHANGELOG.md": "# Changes\n\n- WORKER_POOL_SIZE sets the size of the pool of workers.\n",
  "docs/pools.md":
    "# Pools\n\nA worker pool has a size. The worker pool grows, and its size too.\n",
  "app.yaml": "WORKER_POOL_SIZE: 4\nPOOL_NAME: pool\n",
};

test("a question about a setting begins with what is named after it, then with what explains it", async () => {
  const { search } = await indexOf(FILES);
  const paths = pathsOf(await search("what does WORKER_POOL_SIZE do"));
  // A settings key also contains the name of the setting.
  expect(paths.slice(0, 3)).toEqual(["docs/settings.md", "src/pool.ts", "app.yaml"]);
  expect(paths.indexOf("docs/guide.md")).toBeLessThan(paths.indexOf("CHANGELOG.md"));
  // It contains the parts of the name, not the name itself.
  expect(paths.indexOf("docs/pools.md")).toBeGreaterThan(paths.indexOf("app.yaml"));
});

test("the passage about the setting is shown, not the best one of its file for the words", async () => {
  const { search } = await indexOf(FILES);
  const [first] = await search("what is the default of POOL_NAME");
  expect(first?.path).toBe("docs/settings.md");
  expect(first?.text).toContain("## POOL_NAME");
});

test("what a function does is a question about code", async () => {
  const { search } = await indexOf({
    "src/queue.ts":
      "/** Takes the next job. */\nexport function takeNextJob(): Job {\n  return jobs.shift();\n}\n",
    "docs/queue.md": "# Queue\n\ntakeNextJob is called by each worker.\n",
  });
  expect(pathsOf(await search("what does takeNextJob do"))[0]).toBe("src/queue.ts");
});
