import { SvcError } from "../../src/base/errors.ts";
import { defineCommand, JSON_FLAG, type CommandEntry } from "../../src/cli/command.ts";
import type { Io } from "../../src/cli/io.ts";

export interface SampleContext {
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** A command with every kind of flag; it prints its input. */
export const find = defineCommand({
  description: "The best answers come first.\n\nThe folder is indexed if it is not yet.",
  args: [
    { name: "query", required: true, description: "What to look for." },
    { name: "path", description: "The folder to look in." },
  ],
  flags: {
    limit: {
      type: "integer",
      short: "n",
      default: 10,
      min: 1,
      max: 50,
      placeholder: "N",
      description: "The most results.",
    },
    offset: {
      type: "integer",
      placeholder: "N",
      description: "Results to pass over. The first has the number 0.",
    },
    kind: {
      type: "list",
      short: "k",
      choices: ["code", "docs", "tests"],
      placeholder: "KIND",
      description: "Kinds of files.",
    },
    pathGlob: { type: "list", placeholder: "GLOB", description: "Files to look in." },
    sort: {
      type: "string",
      choices: ["score", "path"],
      default: "score",
      placeholder: "BY",
      description: "The order.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Where to look." },
    explain: { type: "boolean", short: "e", description: "Say why each was found." },
    snippets: { type: "boolean", default: true, description: "Leave the text out." },
    json: { ...JSON_FLAG, short: "j" },
  },
  examples: [{ run: 'svc find "token expiry"', description: "Where tokens expire." }],
  exitCodes: { 1: "Nothing was found." },
  run({ args, flags }, { io }: SampleContext) {
    io.out(`${JSON.stringify({ args, flags })}\n`);
    return args.query === "nothing" ? 1 : 0;
  },
});

const create = defineCommand({
  flags: {
    name: { type: "string", required: true, placeholder: "NAME", description: "A label." },
  },
  run: ({ flags }, { io }: SampleContext) => io.out(`created ${flags.name}\n`),
});

const show = defineCommand({
  args: [{ name: "files", required: true, variadic: true, description: "What to show." }],
  run: ({ args }, { io }: SampleContext) => io.out(`${args.files.join("+")}\n`),
});

/** Ends in the way that its argument names. */
const fail = defineCommand({
  args: [{ name: "how", required: true, description: "The way to fail." }],
  flags: { json: JSON_FLAG },
  async run({ args }, { signal }: SampleContext) {
    if (args.how === "denied") {
      throw new SvcError("UNAUTHENTICATED", "No token was given.", {
        hint: "Run `svc auth token create --name laptop`.",
      });
    }
    if (args.how === "hostile") throw new SvcError("PATH_NOT_FOUND", "No file \u001b[2Jevil.");
    if (args.how === "bug") throw new TypeError("undefined is not svt_abcdefgh1234");
    if (args.how === "interrupted") {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => resolve());
      if (!signal.aborted) await promise;
      throw new Error("cut off");
    }
  },
});

export const commands: readonly CommandEntry<SampleContext>[] = [
  {
    name: "find",
    heading: "Find",
    summary: "Find what answers a question.",
    load: () => Promise.resolve({ command: find }),
  },
  {
    name: "show",
    heading: "Find",
    summary: "Show files.",
    load: () => Promise.resolve({ command: show }),
  },
  {
    name: "auth",
    heading: "Access",
    summary: "Manage keys and tokens.",
    commands: [
      {
        name: "keys",
        summary: "Manage API keys.",
        commands: [
          {
            name: "create",
            summary: "Create an API key.",
            load: () => Promise.resolve({ command: create }),
          },
        ],
      },
      {
        name: "token",
        summary: "Manage access tokens.",
        commands: [
          {
            name: "create",
            summary: "Create an access token.",
            load: () => Promise.resolve({ command: create }),
          },
        ],
      },
    ],
  },
  {
    name: "fail",
    hidden: true,
    summary: "Fail.",
    load: () => Promise.resolve({ command: fail }),
  },
];
