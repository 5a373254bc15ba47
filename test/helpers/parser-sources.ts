import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const PARSE = join(import.meta.dirname, "../../src/parse");

/** A real project of some 200 files: the sources of the parser. Texts by path. */
export const PARSER_SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(PARSE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [relative(PARSE, file), readFileSync(file, "utf8")]),
);
