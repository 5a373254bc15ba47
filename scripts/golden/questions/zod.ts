import type { GoldenTree } from "../question.ts";

/** Schemas in TypeScript, in two generations next to each other, with their tests. */
export const ZOD: GoldenTree = {
  name: "zod",
  parts: ["zod"],
  without: /^\/(?!src(?:\/|$)|README\.md$|package\.json$)./,
  questions: [
    {
      ask: "how are the results of both sides of an intersection merged",
      right: [
        { path: "src/v4/core/schemas.ts", line: "export function mergeValues(" },
        { path: "src/v4/core/schemas.ts", line: "const merged = mergeValues(left.value" },
        { path: "src/v3/types.ts", line: "function mergeValues(" },
      ],
    },
    {
      ask: "check that a credit card number has a valid checksum",
      right: [
        {
          path: "src/v4/core/schemas.ts",
          line: "if (!regexes.creditCard.test(input)) return false",
        },
      ],
    },
    {
      ask: "print an error as text for people, with the path of each issue",
      right: [{ path: "src/v4/core/errors.ts", line: "export function prettifyError(error" }],
    },
    {
      ask: "break reference cycles when a JSON schema is made",
      right: [
        { path: "src/v4/core/to-json-schema.ts", line: "export function extractDefs<" },
        { path: "src/v4/core/to-json-schema.ts", line: '"Cycle detected: " +' },
      ],
    },
    {
      ask: "remainder of floating point numbers without rounding errors",
      right: [
        { path: "src/v4/core/util.ts", line: "export function floatSafeRemainder(" },
        { path: "src/v3/types.ts", line: "function floatSafeRemainder(" },
      ],
    },
    {
      ask: "isValidJWT",
      right: [
        { path: "src/v4/core/schemas.ts", line: "export function isValidJWT(" },
        { path: "src/v3/types.ts", line: "function isValidJWT(" },
      ],
    },
    {
      ask: "$ZodRegistry",
      right: [{ path: "src/v4/core/registries.ts", line: "export class $ZodRegistry<" }],
    },
    {
      ask: "base64url_to_uint8array",
      right: [{ path: "src/v4/core/util.ts", line: "export function base64urlToUint8Array(" }],
    },
    {
      ask: "src/v3/helpers/parseUtil.ts",
      right: [{ path: "src/v3/helpers/parseUtil.ts" }],
    },
    {
      ask: "Encountered Promise during synchronous parse. Use .parseAsync() instead.",
      right: [
        { path: "src/v4/core/core.ts", line: "Encountered Promise during synchronous parse" },
      ],
    },
    {
      ask: [
        'Error: Duplicate discriminator value "a"',
        "    at get disc (/app/node_modules/zod/v4/core/schemas.js:1204:27)",
        "    at inst._zod.parse (/app/node_modules/zod/v4/core/schemas.js:1230:34)",
        "    at Module.<anonymous> (/app/node_modules/zod/v4/core/parse.js:6:31)",
      ].join("\n"),
      right: [{ path: "src/v4/core/schemas.ts", line: "throw new Error(`Duplicate discriminator" }],
    },
    {
      ask: [
        'const base64 = base64url.replace(/-/g, "+").replace(/_/g, "/");',
        'const padding = "=".repeat((4 - (base64.length % 4)) % 4);',
      ].join("\n"),
      right: [{ path: "src/v4/core/util.ts", line: "export function base64urlToUint8Array(" }],
    },
    {
      ask: "regexp of an e-mial adress",
      right: [{ path: "src/v4/core/regexes.ts", line: "export const email: RegExp =" }],
    },
    {
      ask: "guide to ahead of time compilation",
      right: [{ path: "README.md", line: "### AOT compilation" }],
    },
    {
      ask: "tests of recursive schemas",
      right: [{ path: "src/v4/classic/tests/recursive-types.test.ts" }],
    },
    { ask: "migrate the database to a new version of the tables", right: [] },
  ],
};
