// A part of gin 1.8.1, for tests of the answers to an agent.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const GIN = join(import.meta.dirname, "../engine/fixtures/gin");

/** Texts by path. */
export const GIN_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(GIN, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(GIN, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
);
