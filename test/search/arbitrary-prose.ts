import * as fc from "fast-check";

/** Lines as in Markdown and in the comments and strings of programs, with far more fences. */
const LINES = [
  "# Tokens",
  "Revoke a token with revokeToken.",
  "Text about something else.",
  "",
  "  ",
  "- an item",
  "> ```",
  "```",
  "```js",
  "```json",
  '```json title="revoke"',
  "``` ```",
  "```npm run revoke```",
  "````",
  "````md",
  "~~~",
  "~~~~~~",
  "~~~ sh",
  "   ```",
  "\t~~~",
  `${" ".repeat(150)}\`\`\``,
  `\`\`\`js ${"x".repeat(500)}`,
  `${"long ".repeat(100)}revoke token${" long".repeat(100)}`,
  "…",
  '{ "revoke": "token" }',
];

/** Generates the lines of a file. */
export function arbitraryProse(maxLength = 80): fc.Arbitrary<string[]> {
  return fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength });
}
