import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { describe, expect, it } from "vitest";

import { GRAMMAR_FILES } from "../../../src/base/grammar-files.ts";
import { isStyleUse } from "../../../src/base/style-names.ts";
import { sharedNameOf, STORED_MOUNT } from "../../../src/parse/shared-names/shared-name.ts";
import { chunk } from "../../chunk/helpers.ts";
import { usesIn } from "./reference-lines.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const FILES = globSync("src/**/*.ts", { cwd: ROOT }).filter((file) => !file.includes("/fixture/"));
const LANGUAGES = Object.keys(GRAMMAR_FILES);

describe("uses in any file", () => {
  it("have names that are on their lines, and valid numbers", async () => {
    await assert(
      asyncProperty(constantFrom(...FILES), async (file) => {
        const text = readFileSync(path.join(ROOT, file), "utf8");
        const lines = text.split("\n");
        const { references, symbols } = await chunk("typescript", text);
        expect(references.types).toHaveLength(symbols.length);
        let last = 1;
        for (const use of references.uses) {
          const { name, line, target, owner, binding } = use;
          expect(line).toBeGreaterThanOrEqual(last);
          last = line;
          // A renamed import has its original name only in the import, a route has parameters instead of its parts.
          const { kind, name: shared = name } = sharedNameOf(use) ?? {};
          const isOther =
            kind === "route" || name === STORED_MOUNT || use.receiver.startsWith("%css.");
          // A class has a sign in front that only selectors write.
          const plain = isStyleUse(use) ? name.replace(/^[.#]/, "") : shared;
          const written = isOther ? "" : plain;
          const place = (binding === -1 ? lines[line - 1] : text) ?? "";
          // The case of letters in a table's name does not count.
          expect(kind === "table" ? place.toLowerCase() : place).toContain(written);
          expect(Math.max(target, owner)).toBeLessThan(symbols.length);
          expect(binding).toBeLessThan(references.imports.length);
        }
      }),
      { numRuns: 40, examples: [["src/web/code-tokens.ts"]] },
    );
  });

  it("are read from random text", async () => {
    const pieces = [
      "{",
      "}",
      "(",
      ")",
      "class",
      "x",
      ".",
      "import",
      "=",
      "\n",
      ":",
      "def",
      "`",
      '"',
      "<",
      "self",
      ",",
    ];
    await assert(
      asyncProperty(
        constantFrom(...LANGUAGES),
        array(constantFrom(...pieces), { maxLength: 60 }),
        async (language, words) => {
          const { references, symbols } = await chunk(language, words.join(" "));
          expect(references.types.length).toBeLessThanOrEqual(symbols.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("are read from very deep expressions", async () => {
    const calls = `const a = b${".c()".repeat(5000)};\n`;
    expect(await usesIn("typescript", calls)).toHaveLength(5001);
    const sum = `const a = ${Array.from({ length: 5000 }, (_, at) => `x${at}`).join(" + ")};\n`;
    expect(await usesIn("typescript", sum)).toHaveLength(5000);
    const chain = Array.from({ length: 500 }, (_, at) => `const x${at + 1} = x${at};`).join("\n");
    expect(await usesIn("python", `a = b${".c()".repeat(5000)}\n`)).toHaveLength(5001);
    expect(await usesIn("typescript", `function f() {\n${chain}\nx500.y; }`)).toContain(
      "502 value ?.y in f",
    );
  });

  it("are found by name in a grammar without rules", async () => {
    expect(
      await usesIn(
        "lua",
        `local Queue = {}
function Queue.push(job)
  check(job)
  Queue.jobs.add(LIMIT) -- comment
end
function check(x) return "text" end
`,
      ),
    ).toEqual([
      "2 value Queue -> Queue in Queue.push",
      "3 call check -> check in Queue.push",
      "4 value Queue -> Queue in Queue.push",
      "4 value Queue.jobs in Queue.push",
      "4 call Queue.jobs.add in Queue.push",
      "4 value LIMIT in Queue.push",
    ]);
  });
});
