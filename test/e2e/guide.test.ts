// Every command of the guides runs in a project like the one in their examples, in the order of the pages; the output
// that a page shows is the output that the command prints, except for numbers.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { fencedBlocks } from "../docs/markdown.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const SVC = join(REPOSITORY, "dist/svc");
/** In reading order: a later page may rely on the commands of an earlier one. */
const PAGES = ["docs/guide.md", "docs/server.md", "docs/client-authors.md"].map((page) => ({
  page,
  blocks: fencedBlocks(readFileSync(join(REPOSITORY, page), "utf8")),
}));

/** Lines that are not run, each with its reason, and the test that covers it. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^svc serve\b/, "runs until it is ended: test/transports/http, test/spec/http-*.test.ts"],
  [/^curl\b/, "asks that server: test/spec/http-search.test.ts"],
  [/^ {2}-d /, "the second line of that"],
  [/^svc watch\b/, "runs until Ctrl-C: test/cli"],
  [/^svc index (?:https:|git@|\/srv\/)/, "asks another machine: test/engine, test/sources/git*"],
  [/^sh install\.sh/, "is in the folder of a release: test/e2e/install-script.test.ts"],
  [/^svc upgrade/, "installs a release: test/e2e/upgrade.test.ts"],
  [/^ {2}--setenv=/, "the second line of a command with sudo"],
  [/^npm install --global/, "needs the package of a release: test/e2e/npm-package.test.ts"],
  [
    /^source <\(svc completions zsh|^svc completions fish/,
    "for other shells: test/e2e/completions.test.ts",
  ],
  [/^sudo\b/, "changes the machine"],
  [/--to keychain/, "needs a keychain: test/e2e/keychain-migrate.test.ts"],
];

/** The two folders of the examples, below the home directory. */
const FILES: Readonly<Record<string, string>> = {
  "src/project/src/config/settings-file.ts":
    "/** Reads the settings of a user. */\nexport function parseConfig(text: string): object {\n  return JSON.parse(text);\n}\n",
  "src/project/src/credentials/access-tokens.ts":
    'import { parseConfig } from "../config/settings-file.ts";\n\n/** Makes a token that expires. */\nexport function createToken(settings: string): object {\n  return { ...parseConfig(settings), expiresAt: Date.now() + 60_000 };\n}\n\n/** Refuses an expired token. */\nexport function checkToken(token: { expiresAt: number }): void {\n  if (token.expiresAt < Date.now()) throw new Error("expired token, or revoked");\n}\n\n/** Asks the keychain of the system. */\nexport function askKeychain(): string {\n  return "key";\n}\n',
  "src/project/.gitignore": "out/\nnode_modules/\n",
  "src/project/package.json": '{ "dependencies": { "undici": "^6.21.0" } }\n',
  "src/project/node_modules/undici/package.json": '{ "name": "undici", "version": "6.21.0" }\n',
  "src/project/node_modules/undici/index.js":
    '/** Retries a failed request. */\nexports.retry = (error) => error.code === "ECONNRESET";\n',
  "src/library/src/dates.ts":
    '/** Parses a date. */\nexport function parseDate(text: string): Date {\n  return new Date(text);\n}\n\nexport function firstDay(): Date {\n  return parseDate("1970-01-01");\n}\n',
};

let home = "";

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "svc-guide-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const git = "git -c user.name=me -c user.email=me@example.org";
  run(
    `cd ~/src/project && git init -q -b main && git add -A && ${git} commit -qm 'Tokens that expire' && git tag v1.2.0 && git tag v2.0.0`,
  );
  mkdirSync(join(home, ".cursor"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(script: string): string {
  const output = execFileSync("bash", ["-e", "-c", script], {
    cwd: join(home, "src/project"),
    encoding: "utf8",
    // Its output is part of the message if it fails.
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: `${dirname(SVC)}:${process.env["PATH"] ?? ""}`,
      HOME: home,
      // Keeps the store away from the keychain of the user who runs the tests. A passphrase would do that too, but each
      // command would spend half a second on deriving the key.
      SERVICE_DATA_KEY_FILE: join(home, "data.key"),
    },
  });
  return output.replaceAll(home, "~");
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+(?:[.,]\d+)*/g, "N");
}

/** Commands of a block that must succeed, or one whose output is shown. */
interface Step {
  readonly line: number;
  readonly script: string;
  readonly shown?: string;
}

function stepsOf({
  line,
  language,
  text,
}: ReturnType<typeof fencedBlocks>[number]): readonly Step[] {
  if (language === "sh") {
    const wanted = text.split("\n").filter((one) => NOT_RUN.every(([not]) => !not.test(one)));
    return [{ line, script: wanted.join("\n") }];
  }
  if (language !== "console") return [];
  const steps = text.split(/^\$ /m).filter((one) => one !== "");
  return steps.map((step) => {
    const [script = "", ...output] = step.split("\n");
    return { line, script, shown: withoutNumbers(output.join("\n")) };
  });
}

// One test for each page; vitest runs them in the order of the pages.
test.each(PAGES)(
  "every command of $page prints what the page shows",
  ({ page, blocks }) => {
    for (const { line, script, shown } of blocks.flatMap(stepsOf)) {
      const printed = withoutNumbers(run(script));
      expect(printed, `${page}:${line} ${script}`).toBe(shown ?? printed);
    }
  },
  120_000,
);

test.each(PAGES)("$page has commands", ({ blocks }) => {
  expect(blocks.flatMap(stepsOf)).not.toEqual([]);
});

test("each reason not to run a command belongs to an existing command", () => {
  const lines = PAGES.flatMap(({ blocks }) =>
    blocks.flatMap(({ language, text }) => (language === "sh" ? text.split("\n") : [])),
  );
  const unused = NOT_RUN.filter(([not]) => lines.every((line) => !not.test(line)));
  expect(unused).toEqual([]);
});
