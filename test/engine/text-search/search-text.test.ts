import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { encodeTextPlace } from "../../../src/engine/cursor.ts";
import type { TextSearchRequest } from "../../../src/engine/api/search-text.ts";
import { indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { textIn } from "../../helpers/picture.ts";
import { plant } from "../../helpers/tree.ts";

async function indexed(files: Parameters<typeof indexedTree>[0]): Promise<IndexedTree> {
  const index = indexedTree(files);
  onTestFinished(index.dispose);
  await index.run();
  return index;
}

/** The matching lines of these files, as `path:line text`. */
async function call(
  files: Parameters<typeof indexedTree>[0],
  pattern: string,
  more: Partial<TextSearchRequest> = {},
): Promise<string[]> {
  const { matches } = await textIn(await indexed(files), pattern, more);
  return matches.map(
    ({ path, line, lines }) => `${path}:${line} ${lines.find(({ isMatch }) => isMatch)?.text}`,
  );
}

test.each([
  "(?=a)b",
  "(?!a)b",
  "(?<=a)b",
  "(?<!a)b",
  "(a)\\1",
  "(?<n>a)\\k<n>",
  "(",
  "[",
  "a{2,1}",
  "*",
  "a**",
  "\\",
])(
  "the expression %j is INVALID_PATTERN, and the answer says what can be written",
  async (pattern) => {
    await expect(call({ "a.txt": "a\n" }, pattern, { isRegex: true })).rejects.toThrow(
      expect.objectContaining({
        code: "INVALID_PATTERN",
        hint: expect.stringMatching(/RE2.*look-around.*back-reference/),
      }),
    );
    // As literal text it is valid.
    expect(await call({ "a.txt": `x${pattern}y\n` }, pattern)).toEqual([`a.txt:1 x${pattern}y`]);
  },
);

const HOSTILE = `${"a".repeat(3000)}!\n${"x".repeat(3000)}\n${"ab".repeat(1500)}c\n`;

test.each([
  "(a+)+$",
  "(a{1,30}){1,30}b",
  "(x+x+)+y",
  "(a|a)*b",
  "(a*)*b",
  "^(\\w+\\s?)*$",
  "(.*)(.*)(.*)(.*)(.*)z",
  "([a-z]+)*=",
  "a?".repeat(25) + "a".repeat(25) + "b",
])("%j ends on hostile lines, with and without case", async (pattern) => {
  const index = await indexed({ "a.txt": HOSTILE });
  for (const caseSensitive of [true, false]) {
    const answer = await textIn(index, pattern, { isRegex: true, caseSensitive });
    expect(answer.isPartial).toBe(false);
  }
});

test("case and whole words are matched only on request", async () => {
  const files = { "a.txt": "Token\ntokens\nTOKEN\nmy_token\na token.\n" };
  expect(await call(files, "token")).toHaveLength(5);
  expect(await call(files, "Token", { caseSensitive: true })).toEqual(["a.txt:1 Token"]);
  expect(await call(files, "token", { wholeWord: true })).toEqual([
    "a.txt:1 Token",
    "a.txt:3 TOKEN",
    "a.txt:5 a token.",
  ]);
});

test("a line counts once with any number of matches, and a match never crosses its end", async () => {
  const files = { "a.txt": "aa aa aa\nb\n\na\n" };
  expect(await call(files, "a")).toEqual(["a.txt:1 aa aa aa", "a.txt:4 a"]);
  expect(await call(files, "b\\s+a", { isRegex: true })).toEqual([]);
  expect(await call(files, "b\n\na")).toEqual([]);
  expect(await call(files, "^$", { isRegex: true })).toEqual(["a.txt:3 "]);
  expect(await call(files, "x*", { isRegex: true })).toHaveLength(4);
});

test("an emoji is one character, and only a line feed ends a line, in every mode", async () => {
  const files = { "a.txt": "x😀y\nx\u2028y\nx\ry\nx\u00a0y\n" };
  for (const caseSensitive of [true, false]) {
    for (const pattern of ["x.y", "^x[^a]y$", "x[😀\\r]y|x\\sy|x.y"]) {
      const found = await call(files, pattern, { isRegex: true, caseSensitive });
      expect(found.map((match) => match.split(" ")[0])).toEqual(
        [1, 2, 3, 4].map((at) => `a.txt:${at}`),
      );
    }
  }
});

test("context lines have their numbers", async () => {
  const index = await indexed({ "a.txt": "1\n2\n3 needle\n4\n5\n6 needle\n" });
  const { matches } = await textIn(index, "needle", { contextLines: 1 });
  expect(
    matches.map(({ lines }) =>
      lines.map(({ line: at, isMatch }) => (isMatch ? `[${at}]` : `${at}`)).join(" "),
    ),
  ).toEqual(["2 [3] 4", "5 [6]"]);
});

test("files and counts are returned on request", async () => {
  const index = await indexed({
    "a.txt": "needle\nneedle\n",
    "b.txt": "needle\n",
    "c.txt": "hay\n",
  });
  expect(await textIn(index, "needle", { output: "files" })).toMatchObject({
    matches: [],
    files: [
      { path: "a.txt", matches: 2 },
      { path: "b.txt", matches: 1 },
    ],
    totalMatches: 3,
    totalFiles: 2,
  });
  expect(await textIn(index, "needle", { output: "count", limit: 1 })).toMatchObject({
    matches: [],
    totalMatches: 3,
    totalFiles: 2,
    nextCursor: undefined,
  });
});

test.each([
  ["matches", 18],
  ["files", 6],
] as const)(
  "pages of %s tile the answer, each with the totals of the whole",
  async (output, size) => {
    const files = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        `f${at}.txt`,
        "needle\n".repeat([1, 2, 3, 0, 4, 7][at] ?? 0) + "hay\n",
      ]),
    );
    const index = await indexed({ ...files, "f3.txt": "needle here\n" });
    for (const limit of [1, 4, 5, 50]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await textIn(index, "needle", { output, limit, cursor });
        expect([page.totalMatches, page.totalFiles]).toEqual([18, 6]);
        const shown =
          output === "matches"
            ? page.matches.map(({ path, line: at }) => `${path}:${at}`)
            : page.files.map(({ path }) => path);
        expect(shown.length).toBeLessThanOrEqual(limit);
        seen.push(...shown);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(size);
      expect(seen).toEqual(
        seen.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })),
      );
    }
  },
);

test("a cursor of another query is INVALID_CURSOR", async () => {
  const index = await indexed({ "a.txt": "needle\nneedle\n" });
  const { nextCursor } = await textIn(index, "needle", { limit: 1 });
  for (const more of [{ output: "files" }, { isRegex: true }, { path: "*.txt" }] as const) {
    await expect(textIn(index, "needle", { ...more, cursor: nextCursor })).rejects.toThrow(
      expect.objectContaining({ code: "INVALID_CURSOR" }),
    );
  }
});

test("a forged cursor shows nothing outside of the index", async () => {
  const index = await indexed({
    "a.txt": "needle\n",
    ".svcignore": "secret.txt\n",
    "secret.txt": "needle\n",
  });
  const limits = [undefined, undefined, undefined, undefined];
  const asked = ["text", "needle", false, false, false, "matches", ...limits];
  const shown = async (path: string): Promise<string[]> => {
    const cursor = encodeTextPlace(asked, { path, given: 0, matches: 0, files: 0 });
    return (await textIn(index, "needle", { cursor })).matches.map((match) => match.path);
  };
  expect(await shown("a.txt")).toEqual(["a.txt"]);
  expect(await shown("secret.txt")).toEqual([]);
  expect(await shown("../secret.txt")).toEqual(["a.txt"]);
});

test("in a large project, a page has lower bounds of the totals, and count exact ones", async () => {
  const paths = Array.from({ length: 1200 }, (_, at) => `f${String(at).padStart(4, "0")}.txt`);
  const index = await indexed(Object.fromEntries(paths.map((path) => [path, "needle\nneedle\n"])));
  const first = await textIn(index, "needle", { limit: 3 });
  expect(first).toMatchObject({ isComplete: false, isPartial: false });
  expect(first.totalMatches).toBeGreaterThan(3);
  expect(first.totalMatches).toBeLessThan(2400);
  expect(await textIn(index, "needle", { output: "count" })).toMatchObject({
    isComplete: true,
    totalMatches: 2400,
    totalFiles: 1200,
  });
  // Earlier pages are counted without reading them again.
  const seen = first.matches.map(({ path, line: at }) => `${path}:${at}`);
  let { nextCursor: cursor } = first;
  let last = first;
  while (cursor !== undefined) {
    last = await textIn(index, "needle", { limit: 499, cursor });
    seen.push(...last.matches.map(({ path, line: at }) => `${path}:${at}`));
    cursor = last.nextCursor;
  }
  expect(last).toMatchObject({ isComplete: true, totalMatches: 2400, totalFiles: 1200 });
  expect(seen).toEqual(paths.flatMap((path) => [`${path}:1`, `${path}:2`]));
});

test("a match names its innermost enclosing definition", async () => {
  const index = await indexed({
    "a.ts": "class Session {\n  end() {\n    needle();\n  }\n  // needle\n}\n// needle\n",
  });
  const { matches } = await textIn(index, "needle");
  expect(matches.map(({ line: at, symbol }) => `${at} ${symbol}`)).toEqual([
    "3 Session.end",
    "5 Session",
    "7 ",
  ]);
});

test("files are read in their current state; missing ones are left out", async () => {
  const index = await indexed({ "a.txt": "needle\n", "b.txt": "needle\n" });
  plant(index.root, { "a.txt": "hay\nneedle now\n" });
  rmSync(join(index.root, "b.txt"));
  const { matches, totalMatches } = await textIn(index, "needle");
  expect(matches.map(({ path, line: at }) => `${path}:${at}`)).toEqual(["a.txt:2"]);
  expect(totalMatches).toBe(1);
});

test("a file that has become too large, binary or a folder is left out", async () => {
  const names = ["binary.txt", "folder.txt", "kept.txt", "large.txt", "utf16.txt"];
  const index = await indexed(Object.fromEntries(names.map((name) => [name, "needle\n"])));
  rmSync(join(index.root, "folder.txt"));
  plant(index.root, {
    "binary.txt": "needle\n\0",
    "folder.txt/": "",
    "large.txt": `needle\n${"x".repeat(4 << 20)}`,
    "utf16.txt": Buffer.from("\ufeffhay\r\nneedle\r\n", "utf16le"),
  });
  const { matches } = await textIn(index, "needle$", { isRegex: true });
  expect(matches.map(({ path, line: at }) => `${path}:${at}`)).toEqual([
    "kept.txt:1",
    "utf16.txt:2",
  ]);
});

test("only files within the filters are searched", async () => {
  const files = {
    "a.ts": "needle\n",
    "b.md": "needle\n",
    "src/c.ts": "needle\n",
    "test/d.test.ts": "needle\n",
  };
  const paths = async (more: Partial<TextSearchRequest>): Promise<string[]> =>
    (await call(files, "needle", more)).map((match) => match.replace(/:.*/, ""));
  expect(await paths({ path: "src/" })).toEqual(["src/c.ts"]);
  expect(await paths({ language: "markdown" })).toEqual(["b.md"]);
  expect(await paths({ kinds: ["tests"] })).toEqual(["test/d.test.ts"]);
  expect(await paths({ path: "!*.ts" })).toEqual(["b.md"]);
});

test("an unknown language is refused with the nearest one", async () => {
  await expect(call({ "a.ts": "a\n" }, "a", { language: "typscript" })).rejects.toThrow(
    expect.objectContaining({
      code: "INVALID_PARAMS",
      hint: expect.stringContaining("typescript"),
    }),
  );
});

test("long lines are clipped, never inside a character", async () => {
  const [match = ""] = await call(
    { "a.txt": `${"x".repeat(299)}😀 needle ${"y".repeat(500)}\n` },
    "needle",
  );
  expect(match.length).toBeLessThan(320);
  expect(match).toMatch(/x…$/);
});

test("a cancelled search ends", async () => {
  const index = await indexed({ "a.txt": "needle\n" });
  await expect(textIn(index, "needle", { signal: AbortSignal.abort() })).rejects.toThrow(
    expect.objectContaining({ code: "TIMEOUT" }),
  );
});
