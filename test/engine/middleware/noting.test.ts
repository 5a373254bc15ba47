import { expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, SEARCH } from "../../helpers/project.ts";

const CODE = "export function readBlobs(maxBytes) {\n  return maxBytes;\n}\n";
const PAGE = "# Lighthouses\n\nCall `readBlobs()` to read the lighthouse.\n";

test("an answer from the cache has the current notes, and that about a commit has none", async () => {
  const repository = gitRepository();
  const project = createProject({}, { workspace: () => repository.path });
  onTestFinished(async () => {
    await project.dispose();
    repository.dispose();
  });
  const { engine } = project;
  repository.commit({ "src/read.js": CODE, "docs/page.md": PAGE }, "Begin");
  repository.commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  await engine.index(request());
  const search = async (): Promise<readonly unknown[]> => {
    const query = "read the lighthouse";
    const { passages, isCacheable } = await engine.search({ ...request(), ...SEARCH, query });
    const page = passages.find(({ path }) => path === "docs/page.md");
    return [isCacheable, page?.outdated?.map(({ name }) => name)];
  };
  const read = async (at?: string): Promise<unknown> => {
    const asked = { targets: ["docs/page.md"], maxTokens: 1000, at };
    const { parts } = await engine.read({ ...request(), ...asked });
    return parts[0]?.outdated?.map(({ name }) => name);
  };
  expect([await search(), await read()]).toEqual([[true, undefined], undefined]);
  await engine.drift({ ...request(), limit: 1, waitMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 5100));
  expect([await search(), await read()]).toEqual([[true, ["readBlobs"]], ["readBlobs"]]);
  expect(await read("HEAD")).toBeUndefined();
}, 30_000);
