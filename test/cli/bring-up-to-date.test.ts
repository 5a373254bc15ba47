import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { queryUpToDate } from "../../src/cli/bring-up-to-date.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import type { SearchResult } from "../../src/engine/engine.ts";
import { project, SEARCH, type Project } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";

interface Call {
  readonly paths: readonly string[];
  /** The queried namespaces, or the error of the query. */
  readonly asked: readonly string[];
}

const QUAY = { symbol: "Quay", relation: "callers", depth: 1, limit: 5 } as const;

function made(): Project {
  const here = project({ "a.md": "# Harbours\n" });
  onTestFinished(here.dispose);
  return here;
}

async function call(
  { engine }: Project,
  limits: Partial<Parameters<typeof queryUpToDate>[2]> = {},
): Promise<Call> {
  const asked: string[] = [];
  const context = {
    io: createMemoryIo(),
    app: { owner: LOCAL },
    signal: new AbortController().signal,
  };
  const where = { path: undefined, namespace: undefined, ...limits };
  const answer = await queryUpToDate<SearchResult>(context, engine, where, async (place) => {
    const found = await engine.search({ ...SEARCH, query: "harbours", principal: LOCAL, ...place });
    asked.push(place.namespace ?? "that of the workspace");
    return found;
  });
  return { paths: answer.passages.map(({ path }) => path).toSorted(), asked };
}

test("without changes the query runs once, during the check", async () => {
  const here = made();
  await call(here);
  expect(await call(here)).toEqual({ paths: ["a.md"], asked: ["that of the workspace"] });
});

test("changes are in the answer", async () => {
  const here = made();
  const first = await call(here);
  expect(first.paths).toEqual(["a.md"]);
  writeFileSync(join(here.root, "b.md"), "# More harbours\n");
  const { paths, asked } = await call(here);
  expect(paths).toEqual(["a.md", "b.md"]);
  expect(asked.at(-1)).not.toBe("that of the workspace");
});

test("with only a namespace, the query runs without a check", async () => {
  const here = made();
  const { asked } = await call(here);
  const [namespace = ""] = asked.slice(-1);
  writeFileSync(join(here.root, "b.md"), "# More harbours\n");
  expect(await call(here, { namespace })).toEqual({ paths: ["a.md"], asked: [namespace] });
});

test("an error of a query on an existing index is reported unchanged", async () => {
  const here = made();
  await call(here);
  const context = {
    io: createMemoryIo(),
    app: { owner: LOCAL },
    signal: new AbortController().signal,
  };
  const where = { path: undefined, namespace: undefined };
  const failing = queryUpToDate(context, here.engine, where, (place) =>
    here.engine.references({ ...QUAY, principal: LOCAL, ...place }),
  );
  await expect(failing).rejects.toMatchObject({ code: "SYMBOL_NOT_FOUND" });
});
