// Each fixture holds what one language can define; its golden file is the outline that people see.
// `vitest -u` rewrites the golden files.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { chunk, show, tilingFault } from "./helpers.ts";

const FIXTURES = path.join(import.meta.dirname, "fixtures");

describe("the fixtures", () => {
  for (const language of readdirSync(FIXTURES)) {
    const folder = path.join(FIXTURES, language);
    for (const name of readdirSync(folder).filter((file) => !file.endsWith(".golden"))) {
      it(`of ${language} are cut as ${name}.golden says`, async () => {
        const text = readFileSync(path.join(folder, name), "utf8");
        const chunked = await chunk(language, text, name);
        expect(tilingFault(text, chunked)).toBeUndefined();
        await expect(show(chunked)).toMatchFileSnapshot(path.join(folder, `${name}.golden`));
      });
    }
  }
});
