// test/trust/secrets.test.ts plants secrets of every form that svc knows.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { transformSync } from "esbuild";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { findSecrets, maskSecrets, SECRET_RULES } from "../../src/base/mask-secrets.ts";
import { plantedSecrets } from "../trust/planted-secrets.ts";

test.each([
  ["postgres://ann:s3cret!x@db.internal/app", "postgres://ann:********@db.internal/app"],
  ["a URL of an example: https://ann:s3cret!x@example.com/", undefined],
  ["https://ann:${PASSWORD}@db.internal/", undefined],
  ["https://db.internal:5432/ann:nothing", undefined],
  ["short", undefined],
])("%j becomes %j", (text, masked) => {
  expect(maskSecrets(text)).toBe(masked ?? text);
});

test("the body of a private key is masked line by line, its marks stay", () => {
  const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} PRIVATE KEY-----`);
  const body = ["M".repeat(64), "Q".repeat(20)];
  const masked = maskSecrets(["before", begin, ...body, end, "after"].join("\n"));
  expect(masked.split("\n")).toEqual([
    "before",
    begin,
    "[REDACTED:private-key]".padEnd(64, "*"),
    "*".repeat(20),
    end,
    "after",
  ]);
});

test("secrets are found in order, without overlaps, wherever they are in a text", () => {
  const lines = plantedSecrets(112, 7).map(({ line }) => line);
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: 1, maxLength: 12 }), (some) => {
      const text = some.join("\nwords between\n");
      const spans = findSecrets(text);
      expect(spans.length).toBeGreaterThanOrEqual(some.length);
      let from = 0;
      for (const { start, end } of spans) {
        expect([start >= from, end > start, end <= text.length]).toEqual([true, true, true]);
        from = end;
      }
      const masked = maskSecrets(text);
      expect(masked.split("\n").filter((line) => line === "words between")).toHaveLength(
        some.length - 1,
      );
      expect(masked.length).toBe(text.length);
    }),
  );
});

test("the number of the rules is raised when they change", () => {
  const rules = [
    "mask-secrets",
    "assigned-secrets",
    "placed-secrets",
    "placeholders",
    "secret-patterns",
  ];
  const code = rules.map((name) => {
    const source = readFileSync(join(import.meta.dirname, `../../src/base/${name}.ts`), "utf8");
    return transformSync(source, { loader: "ts", minify: true }).code;
  });
  const sum = createHash("sha256").update(code.join("\n")).digest("hex").slice(0, 16);
  // After a change of the rules: raise SECRET_RULES, and write its number and the new sum here.
  expect([SECRET_RULES, sum]).toEqual([1, "3178e78762dcd586"]);
});
