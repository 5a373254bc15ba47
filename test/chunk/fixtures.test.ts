// Each fixture contains every kind of definition of one language. Its golden file is the outline that users
// see.
// `vitest -u` rewrites the golden files.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { chunk, show, tilingFault } from "./helpers.ts";

const LANGUAGES = path.join(import.meta.dirname, "../../src/parse/languages");

describe("the fixtures", () => {
  const entries = readdirSync(LANGUAGES, { withFileTypes: true });
  for (const language of entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)) {
    const folder = path.join(LANGUAGES, language, "fixture");
    for (const name of readdirSync(folder).filter((file) => !file.endsWith(".golden"))) {
      it(`of ${language} are cut as in ${name}.golden`, async () => {
        const text = readFileSync(path.join(folder, name), "utf8");
        const chunked = await chunk(language, text, name);
        expect(tilingFault(text, chunked)).toBeUndefined();
        await expect(show(chunked)).toMatchFileSnapshot(path.join(folder, `${name}.golden`));
      });
    }
  }
});
