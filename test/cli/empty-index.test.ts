import { afterAll, expect, test } from "vitest";

import { createMachine } from "../helpers/cli.ts";

const bare = createMachine({ "image.bin": "\u0000\u0001\u0002" });
const full = createMachine({ "a.ts": "export const one = 1;\n" });
afterAll(() => {
  bare.dispose();
  full.dispose();
});

test.each([
  [["search", "token"], 'No results in "project". '],
  [["symbols", "token"], 'No symbol "token" in "project". '],
  [["grep", "token"], "No line matches. "],
])("svc %j says that nothing is indexed", async (words, before) => {
  const { code, out, err } = await bare.svc(...words);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toBe(
    `${before}Its index has no files: svc skipped 1 file, which \`svc status --skipped\` lists.\n`,
  );
});

test("with files, an empty answer gives other advice", async () => {
  expect((await full.svc("search", "zebra")).err).toBe(
    'No results in "project". Try other words or fewer filters.\n',
  );
  expect((await full.svc("grep", "zebra")).err).toBe("");
});
