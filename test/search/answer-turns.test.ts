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

const PROJECT = {
  "README.md":
    "[![Build](https://ci.example/badge.svg)](https://ci.example)\n\n# Crawl\n\nFetches sites and keeps what they hold.\n\n## Building\n\nRun make.\n",
  LICENSE: "MIT License\n\nPermission is hereby granted to use the software.\n",
  "docs/architecture.md": "# Architecture overview\n\nThe engine asks the scheduler.\n",
  "docs/spiders.md": "# Spiders\n\nA class that says how a site is read.\n",
  "docs/tutorial.md": "# Tutorial\n\nWrite a spider, and run the spider.\n",
  "src/spider.ts":
    "/** A spider. */\nexport class Spider {\n  spider(): Spider {\n    return new Spider();\n  }\n}\n",
  "src/project.ts":
    "/** What a project does. */\nexport function project() {\n  return doProject();\n}\n",
  "src/build.ts": "/** Builds from source. */\nexport function build(source) {}\n",
  "test/spider.test.ts": "test('what a spider is', () => new Spider().spider());\n",
};

test.each([
  ["what is a spider", "docs/spiders.md"],
  ["what does this project do", "README.md"],
  ["give me an overview of the architecture", "docs/architecture.md"],
  ["building from source", "README.md"],
  ["which license does it use", "LICENSE"],
  ["where are spiders documented", "docs/spiders.md"],
])("the page with the title of '%s' comes first", async (question, path) => {
  const { search } = await indexOf(PROJECT);
  expect(pathsOf(await search(question))[0]).toBe(path);
});

test("code that may be meant as well follows the first page", async () => {
  const { search } = await indexOf(PROJECT);
  expect(pathsOf(await search("what is a spider"))[1]).toBe("src/spider.ts");
});

test("without a page of the title, code may come first", async () => {
  const { search } = await indexOf({
    "src/limiter.ts": "/** A rate limiter. */\nexport class RateLimiter {}\n",
    "docs/guide.md": "# Guide\n\nStart the server.\n",
  });
  expect(pathsOf(await search("what is a rate limiter"))[0]).toBe("src/limiter.ts");
});
