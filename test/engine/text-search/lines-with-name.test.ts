import { expect, test } from "vitest";

import { linesWithMember, linesWithName } from "../../../src/engine/text-search/lines-with-name.ts";
import { ReadDependencies } from "../../../src/engine/middleware/read-dependencies.ts";
import { memoryTexts } from "../../../src/sources/text/memory-texts.ts";
import { authorized } from "../../helpers/authorized.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";
import { request } from "../../helpers/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "a.conf": "retry_limit = 3\n",
  "b.md": "Set `retry_limit`, not retry_limits.\n\ndoor.open(), door->open(), open it\n",
};

test("lines are counted that have the whole name, or have it as a member", async () => {
  const contents = new Map(
    Object.entries(FILES).map(([path, text]) => [path, { bytes: Buffer.from(text), mtimeMs: 1 }]),
  );
  const reader = await memoryIndex(FILES);
  const context = { reader, texts: memoryTexts(() => contents).open(authorized("project"), []) };
  expect(await linesWithName(context, "retry_limit", request())).toEqual({
    lines: 2,
    files: 2,
    advice:
      "2 lines in 2 files have the name: `search_text` (or `svc grep -Fw retry_limit`) lists them.",
  });
  expect(await linesWithMember(context, "open", request())).toEqual({
    lines: 1,
    files: 1,
    advice:
      '1 line in 1 file has it after a dot: `search_text` (or `svc grep "[.>:]open\\b"`) lists them.',
  });
  const late = { ...request(), deadline: 0 };
  const dependencies = new ReadDependencies();
  const counted = { ...context, dependencies };
  await linesWithName(counted, "retry_limit", request());
  expect(dependencies.isCacheable).toBe(true);
  expect((await linesWithName(counted, "retry_limit", late))?.advice).toMatch(/^At least \d/);
  expect(dependencies.isCacheable).toBe(false);
  expect(await linesWithName(context, "nowhere", request())).toMatchObject({ lines: 0 });
  for (const text of ["it", "two words", ""]) {
    expect(await linesWithName(context, text, request())).toBeUndefined();
  }
});
