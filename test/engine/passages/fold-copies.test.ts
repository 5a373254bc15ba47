import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Passage, SearchRequest } from "../../../src/engine/api/search.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { REPEATING } from "./repeating-files.ts";

let project: Project;
beforeAll(async () => {
  project = createProject(REPEATING);
  await project.engine.index(request());
}, 60_000);
afterAll(() => project.dispose());

async function search(
  query: string,
  more: Partial<SearchRequest> = {},
): Promise<readonly Passage[]> {
  const { passages } = await project.engine.search({ ...request(), ...SEARCH, query, ...more });
  return passages;
}

function resultOf(passages: readonly Passage[], path: string): Passage | undefined {
  return passages.find((passage) => passage.path === path);
}

function pathsOf(passages: readonly Passage[]): readonly string[] {
  return [...new Set(passages.map(({ path }) => path))];
}

describe("what is folded", () => {
  test("build output, into the source that it has the same definition of", async () => {
    const passages = await search("load the harbour ledger");
    const result = resultOf(passages, "src/ledger.js");
    expect(result?.copies.toSorted()).toEqual(["dist/bundle.cjs", "dist/bundle.js"]);
    expect(pathsOf(passages)).not.toContain("dist/bundle.js");
    expect(passages[0]).toBe(result);
  });

  test("translations, into the document in the language of the question", async () => {
    const passages = await search("drop the anchor of the ship");
    const result = resultOf(passages, "docs/anchor.md");
    expect(result?.translations.toSorted()).toEqual([
      "docs/de/anchor.md",
      "docs/fr/anchor.md",
      "docs/ja/anchor.md",
      "docs/pl-PL/anchor.md",
    ]);
    const german = await search("wie wird der Anker des Schiffs an der Kette (chain) geworfen");
    expect(resultOf(german, "docs/de/anchor.md")?.translations).toContain("docs/anchor.md");
    expect(resultOf(german, "docs/anchor.md")).toBeUndefined();
  });

  test("equal files, into the better one", async () => {
    const [first] = await search("tieKnot rope");
    expect(new Set([first?.path, ...(first?.copies ?? [])])).toEqual(
      new Set(["examples/one/knots.js", "examples/two/knots.js"]),
    );
  });

  test("an amalgamation, into a file that it contains", async () => {
    const passages = await search("plotTides");
    expect(resultOf(passages, "src/tides.js")?.copies).toEqual(["all.js"]);
  });

  test("versions of a page, into the newest one or the one that the question names", async () => {
    const newest = await search("turn the rudder of the ship");
    expect(resultOf(newest, "docs/v2/rudder.md")?.copies).toEqual(["docs/v1/rudder.md"]);
    const named = await search("turn the rudder of the ship in v1");
    expect(resultOf(named, "docs/v1/rudder.md")?.copies).toEqual(["docs/v2/rudder.md"]);
  });
});

describe("what is not folded", () => {
  test("variants for platforms that differ", async () => {
    const paths = pathsOf(await search("pollBuoy"));
    expect(paths).toEqual(expect.arrayContaining(["src/unix/poll.js", "src/win/poll.js"]));
  });

  test("a page in a folder whose name is a language by chance", async () => {
    const paths = pathsOf(await search("drop the anchor of the ship"));
    expect(paths).toContain("docs/no/anchor.md");
  });

  test("a file that the question names, in favour of another one", async () => {
    const passages = await search("load the harbour ledger in dist/bundle.js");
    expect(resultOf(passages, "dist/bundle.js")?.copies).toContain("src/ledger.js");
  });

  test("anything, if the request asks for all copies", async () => {
    const passages = await search("drop the anchor of the ship", { allCopies: true });
    const paths = pathsOf(passages);
    for (const path of ["docs/anchor.md", "docs/de/anchor.md", "docs/fr/anchor.md"])
      expect(paths).toContain(path);
    expect(passages.flatMap(({ copies, translations }) => [...copies, ...translations])).toEqual(
      [],
    );
  });

  test("files beyond a filter", async () => {
    const passages = await search("load the harbour ledger", { path: "dist/**" });
    expect(pathsOf(passages).every((path) => path.startsWith("dist/"))).toBe(true);
  });
});

test("pages continue each other: each file is on one of them, or folded into one", async () => {
  const query = "the harbour ledger and the anchor of the ship";
  const whole = await search(query, { limit: 40, maxTokens: 20_000 });
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    // eslint-disable-next-line no-await-in-loop -- one page after the other
    const page = await project.engine.search({
      ...request(),
      query,
      limit: 2,
      maxTokens: 20_000,
      cursor,
    });
    paths.push(...pathsOf(page.passages));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(paths).toEqual([...new Set(paths)]);
  expect(paths.toSorted()).toEqual(pathsOf(whole).toSorted());
  const folded = whole.flatMap(({ copies, translations }) => [...copies, ...translations]);
  expect(folded.length).toBeGreaterThan(4);
  expect(paths.filter((path) => folded.includes(path))).toEqual([]);
});

test("an original that takes the place of a better copy says so in its signals", async () => {
  const passages = await search("wie wird der Anker des Schiffs an der Kette (chain) geworfen");
  for (const { score, signals } of passages) {
    const sum = Object.values(signals).reduce((total, share) => total + share, 0);
    expect(Math.abs(sum - score)).toBeLessThan(0.05);
  }
  const scores = passages.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
});

test("the same question has the same answer", async () => {
  const query = "load the harbour ledger";
  const first = await search(query);
  const again = createProject(REPEATING);
  try {
    await again.engine.index(request());
    const { passages } = await again.engine.search({ ...request(), ...SEARCH, query });
    expect(passages).toEqual(first);
  } finally {
    await again.dispose();
  }
});

test("a file that has changed since it was indexed is no copy", async () => {
  const changed = createProject(REPEATING);
  try {
    await changed.engine.index(request());
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${changed.root}/examples/two/knots.js`, "// Nothing here any more.\n");
    const { passages } = await changed.engine.search({
      ...request(),
      ...SEARCH,
      query: "tieKnot rope",
    });
    expect(passages.flatMap(({ copies }) => copies)).toEqual([]);
  } finally {
    await changed.dispose();
  }
});

function catalog(used: string): string {
  return `<?php\nreturn [\n    'email_used' => '${used}',\n    'harbour_full' => 'x',\n];\n`;
}

function codeFor(name: string): string {
  return `export function ${name}() {\n  const ${name}Address = harbour();\n  return used(${name}Address);\n}\n`;
}

test("catalogs of messages fold into the one in the language of the question, and other code does not", async () => {
  const english = "This harbour address has already been used";
  const catalogs = createProject({
    "lang/ka/errors.php": catalog(english),
    "lang/en/errors.php": catalog(english),
    "lang/de/errors.php": catalog("Diese harbour address wird schon used"),
    "src/languages/cs.ts": codeFor("sharp"),
    "src/languages/pl.ts": codeFor("pearl"),
  });
  await catalogs.engine.index(request());
  const found = await catalogs.engine.search({ ...request(), ...SEARCH, query: english });
  const folded = found.passages.map(({ path, translations }) => [
    path,
    [...translations].toSorted(),
  ]);
  await catalogs.dispose();
  expect(folded).toContainEqual([
    "lang/en/errors.php",
    ["lang/de/errors.php", "lang/ka/errors.php"],
  ]);
  expect(folded).toContainEqual(["src/languages/cs.ts", []]);
  expect(folded).toContainEqual(["src/languages/pl.ts", []]);
});
