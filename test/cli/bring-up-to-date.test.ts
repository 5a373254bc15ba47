import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { queryUpToDate } from "../../src/cli/bring-up-to-date.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import type { SearchResult } from "../../src/engine/api/search.ts";
import { createProject, SEARCH, type Project } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";

interface Call {
  readonly paths: readonly string[];
  /** The queried namespaces, or the error of the query. */
  readonly queries: readonly string[];
}

const QUAY = { symbol: "Quay", relation: "callers", depth: 1, limit: 5 } as const;

/** Nothing has to be done before the first index. */
async function prepare(): Promise<void> {}

function harbours(): Project {
  const here = createProject({ "a.md": "# Harbours\n" });
  onTestFinished(here.dispose);
  return here;
}

async function queryOnce(
  { engine }: Project,
  { namespace }: { readonly namespace?: string } = {},
): Promise<Call> {
  const queries: string[] = [];
  const context = {
    io: createMemoryIo(),
    app: { owner: LOCAL },
    signal: new AbortController().signal,
  };
  const project = { engine, namespace, isNamed: namespace !== undefined, prepare };
  const answer = await queryUpToDate<SearchResult>(context, project, async (place) => {
    const found = await engine.search({ ...SEARCH, query: "harbours", principal: LOCAL, ...place });
    queries.push(place.namespace ?? "that of the workspace");
    return found;
  });
  return { paths: answer.passages.map(({ path }) => path).toSorted(), queries };
}

test("without changes the query runs once, during the check", async () => {
  const here = harbours();
  await queryOnce(here);
  expect(await queryOnce(here)).toEqual({ paths: ["a.md"], queries: ["that of the workspace"] });
});

test("changes are in the answer", async () => {
  const here = harbours();
  const first = await queryOnce(here);
  expect(first.paths).toEqual(["a.md"]);
  writeFileSync(join(here.root, "b.md"), "# More harbours\n");
  const { paths, queries } = await queryOnce(here);
  expect(paths).toEqual(["a.md", "b.md"]);
  expect(queries.at(-1)).not.toBe("that of the workspace");
});

test("with only a namespace, the query runs without a check", async () => {
  const here = harbours();
  const { queries } = await queryOnce(here);
  const [namespace = ""] = queries.slice(-1);
  writeFileSync(join(here.root, "b.md"), "# More harbours\n");
  expect(await queryOnce(here, { namespace })).toEqual({ paths: ["a.md"], queries: [namespace] });
});

test("an error of a query on an existing index is reported unchanged", async () => {
  const here = harbours();
  await queryOnce(here);
  const context = {
    io: createMemoryIo(),
    app: { owner: LOCAL },
    signal: new AbortController().signal,
  };
  const project = { engine: here.engine, namespace: undefined, isNamed: false, prepare };
  const failing = queryUpToDate(context, project, (place) =>
    here.engine.references({ ...QUAY, principal: LOCAL, ...place }),
  );
  await expect(failing).rejects.toMatchObject({ code: "SYMBOL_NOT_FOUND" });
});
