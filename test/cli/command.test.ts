// citty finds, loads and runs commands; it must never read the words of one (docs/decisions/0002-command-line.md).
import { runCommand } from "citty";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { type Command, type CommandEntry, defineCommand } from "../../src/cli/command.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import { runCli } from "../../src/cli/run.ts";
import { commands, find, type SampleContext } from "./sample-commands.ts";

async function call(words: readonly string[], entries = commands) {
  const io = createMemoryIo();
  const code = await runCli<SampleContext>(words, {
    commands: entries,
    version: "1.2.3",
    debug: false,
    signal: new AbortController().signal,
    context: ({ signal }) => ({ io, signal }),
    io,
  });
  return { code, out: io.stdout(), err: io.stderr() };
}

test.each([
  [["q", "--limt", "5"], "There is no flag --limt."],
  [["q", "--no-nonsense"], "There is no flag --no-nonsense."],
  [["q", "--limit"], "--limit needs a value."],
  [["q", "--no-limit"], "--limit takes a value and cannot be negated."],
  [["q", "--json=maybe"], '--json takes true or false, not "maybe".'],
  [["q", "one", "two"], 'Unexpected argument "two" after QUERY and PATH.'],
  [["q", "--kind", "--json"], "--kind needs a value before --json."],
  [["q", "--kind", "--"], "--kind needs a value before --."],
  [["q", "--limit", "--no-color"], "--limit needs a value before --no-color."],
])("%j, which citty alone accepts, is refused", async (words, refusal) => {
  const { code, out, err } = await call(["find", ...words]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  const message = words.includes("--json") ? JSON.parse(err).error.message : err;
  expect(message).toContain(refusal);
});

test.each([
  [["q", "--kind", "code", "--kind", "docs"], { flags: { kind: ["code", "docs"] } }],
  [["q", "-n=5"], { flags: { limit: 5 } }],
  [["-5"], { args: { query: "-5" } }],
])("%j, which citty alone misreads, is understood", async (words, input) => {
  const { code, out } = await call(["find", ...words]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject(input);
});

test("every word behind -- reaches the command as it is", async () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom("--", "-", "--no-", "--no-json", "-h", "--json=x", "find", "--__proto__=1"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word), async (words) => {
      const seen: unknown[] = [];
      const show: Command<null> = defineCommand({
        args: [{ name: "files", variadic: true, description: "What to show." }],
        run({ args }) {
          seen.push(args.files);
        },
      });
      const command = show.toCitty({
        open: () => null,
        close: () => {},
        showHelp: () => void seen.push("help"),
        end: () => {},
      });
      // The first `--` is the user's: all words after it are arguments to our parser, too.
      await runCommand(command, { rawArgs: ["--", "--", ...words] });
      expect(seen).toEqual([words]);
    }),
  );
});

test.each(["constructor", "__proto__", "toString"])(
  "%s, which every object has, is no command",
  async (name) => {
    const { code, err } = await call([name]);
    expect(code).toBe(2);
    expect(err).toContain(`There is no command "svc ${name}".`);
    expect((await call(["auth", name])).err).toContain(`There is no command "svc auth ${name}".`);
  },
);

test("citty loads the command that the words name, once, and no other", async () => {
  const loaded: string[] = [];
  const entry = (name: string): CommandEntry<SampleContext> => ({
    name,
    summary: name,
    load: () => {
      loaded.push(name);
      return Promise.resolve({ command: find });
    },
  });
  const group: CommandEntry<SampleContext> = {
    name: "group",
    summary: "group",
    commands: [entry("two"), entry("three")],
  };
  expect((await call(["group", "three", "q"], [entry("one"), group])).code).toBe(0);
  expect(loaded).toEqual(["three"]);
});

test("what cleanup throws is reported", async () => {
  const io = createMemoryIo();
  const code = await runCli<SampleContext>(["find", "q"], {
    commands,
    version: "1.2.3",
    debug: false,
    signal: new AbortController().signal,
    context: ({ signal }) => ({ io, signal }),
    close: () => Promise.reject(new Error("not closed")),
    io,
  });
  expect(code).toBe(2);
  expect(io.stderr()).toContain("Internal error");
});
