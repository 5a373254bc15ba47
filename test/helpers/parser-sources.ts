import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const PARSE = join(import.meta.dirname, "../../src/parse");

/** Each new language would make the project larger. */
const OTHER_LANGUAGES = /languages.(?!javascript|python|go)\w+./;

/** A real project of some 120 files: the sources of the parser, with the rules of three languages. Texts by path. */
export const PARSER_SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(PARSE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !OTHER_LANGUAGES.test(relative(PARSE, file)))
    .map((file) => [relative(PARSE, file), readFileSync(file, "utf8")]),
);
