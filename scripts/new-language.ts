// node scripts/new-language.ts <id> [--wasm <package/file.wasm>]
// Adds a language: creates its folder below src/parse/languages, generates the tables that list it, and prints
// the next steps. Without --wasm, line patterns cut the language.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { LANGUAGES } from "../src/scan/languages.ts";
import { writeDifferences } from "./generate.ts";
import { LANGUAGE_FOLDERS, languageFiles } from "./generate/languages.ts";

/** The problem with the arguments. */
class Misuse extends Error {}

interface NewLanguageOptions {
  readonly id: string;
  /** Path of the grammar below `node_modules`. */
  readonly wasm: string | undefined;
}

const USAGE = "npm run new:language -- <id> [--wasm <package/file.wasm>]";

/** Creates the folder below `root` and returns the lines to print. */
export function newLanguage(root: string, { id, wasm }: NewLanguageOptions): readonly string[] {
  if (!/^[a-z][a-z0-9]{0,29}$/.test(id)) {
    throw new Misuse(
      `"${id}" is not the id of a language: use lower-case letters and digits, such as csharp`,
    );
  }
  const folder = join(root, LANGUAGE_FOLDERS, id);
  if (existsSync(folder)) throw new Misuse(`${LANGUAGE_FOLDERS}/${id} exists already`);
  if (wasm !== undefined) checkGrammar(root, wasm);
  mkdirSync(join(folder, "fixture"), { recursive: true });
  writeFileSync(join(folder, "fixture", `sample.${id}`), "");
  if (wasm !== undefined) {
    writeFileSync(join(folder, "grammar.json"), `{ "wasm": ${JSON.stringify(wasm)} }\n`);
    writeFileSync(join(folder, "definitions.ts"), template(id));
  }
  const written = writeDifferences(root, languageFiles(root)).map(({ path }) => path);
  return [
    `made   ${LANGUAGE_FOLDERS}/${id}/`,
    ...written.map((path) => `wrote  ${path}`),
    "Next:",
    ...stepsFor(id, wasm).map((step, at) => `  ${at + 1}. ${step}`),
  ];
}

function checkGrammar(root: string, wasm: string): void {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+\/[\w./-]+\.wasm$/.test(wasm) || wasm.includes("..")) {
    throw new Misuse(
      `"${wasm}" is not the .wasm file of a package, such as tree-sitter-go/tree-sitter-go.wasm`,
    );
  }
  if (existsSync(join(root, "node_modules", wasm))) return;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(wasm)?.[0] ?? wasm;
  throw new Misuse(
    `node_modules/${wasm} does not exist; npm install --save-dev --save-exact --ignore-scripts ${name}`,
  );
}

function stepsFor(id: string, wasm: string | undefined): readonly string[] {
  const isKnown = LANGUAGES.some((language) => language === id);
  const fixture = `${LANGUAGE_FOLDERS}/${id}/fixture`;
  return [
    ...(isKnown ? [] : [`add the file names of ${id} to src/scan/languages.ts`]),
    `give ${fixture}/sample.${id} a better name and 50 to 100 lines of typical code`,
    wasm === undefined
      ? "add the form of its definitions on a line to src/parse/languages/line-patterns-by-language.ts"
      : `write the rules in ${LANGUAGE_FOLDERS}/${id}/definitions.ts`,
    `vitest run test/chunk/fixtures.test.ts, then read ${fixture}/*.golden`,
    "check the definitions found in other people's code: node src/main.ts outline <file>",
  ];
}

function template(id: string): string {
  return `import type { DefinitionRule, LanguageRules } from "../definition-rules.ts";

// ../definition-rules.ts describes the members; ../java/definitions.ts is a complete example.
const CLASS: DefinitionRule = { kind: "class", hasMembers: true };

export const ${id}: LanguageRules = {
  // By node type. The name is the field \`name\` and the inside the field \`body\`, unless a rule has others.
  definitions: {
    class_declaration: CLASS,
    function_declaration: { kind: "function" },
  },
  // Nodes around one definition that are part of it, such as \`export …\`.
  wrappers: new Set([]),
  // Nodes around definitions that are traversed, such as namespaces.
  blocks: new Set([]),
  // Nodes that belong to the following definition: comments, attributes.
  attached: new Set(["comment"]),
};
`;
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      options: { wasm: { type: "string" } },
      allowPositionals: true,
    });
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new Misuse(`usage: ${USAGE}`);
    const { wasm } = values;
    console.log(newLanguage(join(import.meta.dirname, ".."), { id, wasm }).join("\n"));
  } catch (thrown) {
    const isMisuse = thrown instanceof Misuse || thrown instanceof TypeError;
    if (!isMisuse) throw thrown;
    console.error(thrown.message);
    process.exitCode = 2;
  }
}
