import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";

const CODE = ["export function readBlobs(maxBytes) {", "  return maxBytes;", "}", ""].join("\n");
const PAGE = [
  "# Reading whole lighthouses",
  "",
  "Call `readBlobs()` to read the lighthouse.",
  "",
  "## Other",
  "",
  "Nothing about lighthouses in here.",
  "",
].join("\n");

interface Opened extends GitRepository {
  readonly project: Project;
  readonly index: () => Promise<unknown>;
  /** Finds outdated documentation, as `svc changes --docs` does. */
  readonly drift: (path?: string) => Promise<unknown>;
  /** Names that search results and `read_context` mark as gone. */
  readonly noted: () => Promise<readonly unknown[]>;
}

function opened(): Opened {
  const repository = gitRepository();
  const project = createProject({}, { workspace: () => repository.path });
  onTestFinished(async () => {
    await project.dispose();
    repository.dispose();
  });
  const { engine } = project;
  return {
    ...repository,
    project,
    index: () => engine.index(request()),
    drift: (path) => engine.drift({ ...request(), limit: 1, waitMs: 60_000, path }),
    noted: async () => {
      const found = await engine.search({ ...request(), ...SEARCH, query: "read the lighthouse" });
      const read = await engine.read({
        ...request(),
        targets: ["docs/page.md", "docs/page.md:5-7"],
        maxTokens: 1000,
      });
      const page = found.passages.filter(({ path }) => path === "docs/page.md");
      return [...page.slice(0, 1), ...read.parts].map(({ outdated }) =>
        outdated?.map(({ line, name, became }) => `${line} ${name} ${became}`),
      );
    },
  };
}

const NOTED = [["3 readBlobs readAll"], ["3 readBlobs readAll"], undefined];
const NOTHING = [undefined, undefined, undefined];

/** A repository whose page names something that the last commit renamed. */
async function renamed(): Promise<Opened> {
  const one = opened();
  one.commit({ "src/read.js": CODE, "docs/page.md": PAGE }, "Begin");
  one.commit({ "src/read.js": CODE.replace("readBlobs", "readAll") }, "Rename it");
  await one.index();
  return one;
}

test("an answer about some pages is not stored", async () => {
  const { noted, drift } = await renamed();
  await drift("docs/**");
  expect(await noted()).toEqual(NOTHING);
});

test("a changed page, and a name that the code has again, have no note", async () => {
  const one = await renamed();
  await one.drift();
  expect(await one.noted()).toEqual(NOTED);
  writeFileSync(join(one.path, "src/again.js"), CODE);
  await one.index();
  expect(await one.noted()).toEqual(NOTHING);
  writeFileSync(join(one.path, "src/again.js"), "export const other = 1;\n");
  await one.index();
  expect(await one.noted()).toEqual(NOTED);
  writeFileSync(join(one.path, "docs/page.md"), `${PAGE}More.\n`);
  await one.index();
  expect(await one.noted()).toEqual(NOTHING);
});
