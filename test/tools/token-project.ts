// A small project about access tokens, indexed once for the tests of a file.
import { afterAll, beforeAll } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { createProject, request, type Project, type ToolAnswer } from "../helpers/project.ts";

const LONG = Array.from(
  { length: 120 },
  (_, at) => `  revokeToken(step${at}, "some text to make it longer");`,
);
export const FILES: Record<string, string> = {
  "src/tokens.ts":
    "/** Revokes an access token. */\nexport function revokeToken(id: string): void {\n  store.delete(id);\n}\n",
  "src/long.ts": ["export function sweep() {", ...LONG, "}", ""].join("\n"),
  "src/minified.txt": `revokeToken ${"x".repeat(40_000)}\n`,
  "docs/tokens.md": "# Tokens\n\nCall revokeToken to revoke a token.\n",
  "test/tokens.test.ts": "test('revokeToken', () => revokeToken('a'));\n",
  [`deep/${"folder/".repeat(30)}revoke.ts`]: "export const revokeToken = 1;\n",
};
for (let at = 0; at < 30; at += 1) {
  FILES[`src/many/file${at}.ts`] =
    `export function user${at}() {\n  return revokeToken("${at}");\n}\n`;
}

export interface TokenProject {
  /** The folder of the project. */
  readonly root: () => string;
  readonly call: (name: string, input: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;
  /** The error of a call as `CODE: detail`; "no error" without one. */
  readonly refusal: (name: string, input: unknown) => Promise<string>;
}

/** Call it at the top of a test file. */
export function tokenProject(): TokenProject {
  let project: Project;
  beforeAll(async () => {
    project = createProject(FILES);
    await project.engine.index(request());
  }, 30_000);
  afterAll(() => project.dispose());
  return {
    root: () => project.root,
    call: (name, input) => project.tool(name, input),
    async refusal(name, input) {
      try {
        await project.tool(name, input);
      } catch (thrown) {
        if (thrown instanceof SvcError) return `${thrown.code}: ${thrown.detail}`;
        throw thrown;
      }
      return "no error";
    },
  };
}

/** Characters of the reply: the texts, with a line end after each. */
export function sizeOf({ items }: ToolAnswer): number {
  return items.reduce((sum, { text }) => sum + text.length + 1, 0);
}
