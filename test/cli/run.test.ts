import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createMemoryIo, type MemoryIo } from "../../src/cli/io.ts";
import { runCli, type CliOptions } from "../../src/cli/run.ts";
import { commands, type SampleContext } from "./sample-commands.ts";

type Options = Partial<CliOptions<SampleContext>> & { readonly io?: MemoryIo };

/** Runs the sample program. Returns its output and exit code. */
async function call(words: readonly string[], options: Options = {}) {
  const io = options.io ?? createMemoryIo();
  const code = await runCli<SampleContext>(words, {
    commands,
    version: "1.2.3",
    debug: false,
    signal: new AbortController().signal,
    context: ({ signal }) => ({ io, signal }),
    ...options,
    io,
  });
  return { code, out: io.stdout(), err: io.stderr() };
}

function brokenContext(): Promise<SampleContext> {
  return Promise.reject(new TypeError("made, and broken"));
}

test.each<[string[], number]>([
  [["find", "something"], 0],
  [["find", "nothing"], 1],
  [["find"], 2],
  [["fail", "bug"], 2],
  [["fail", "denied"], 4],
])("%j ends with %i", async (words, code) => {
  expect((await call(words)).code).toBe(code);
});

test("a command that returns nothing exits with 0", async () => {
  expect(await call(["auth", "keys", "create", "--name", "ci"])).toEqual({
    code: 0,
    out: "created ci\n",
    err: "",
  });
});

test("a variadic argument takes all the words", async () => {
  expect((await call(["show", "a", "b", "c"])).out).toBe("a+b+c\n");
});

test("--version prints only the version", async () => {
  const expected = { code: 0, out: "1.2.3\n", err: "" };
  expect(await call(["--version"])).toEqual(expected);
  expect(await call(["-V"])).toEqual(expected);
});

test.each<[string[], string]>([
  [
    ["fnd"],
    'svc: There is no command "svc fnd".\nDid you mean `svc find`?\nUsage: svc COMMAND [flags]\n',
  ],
  [
    ["zzzzz"],
    'svc: There is no command "svc zzzzz".\nRun `svc --help` for the list.\nUsage: svc COMMAND [flags]\n',
  ],
  [
    ["auth", "kyes", "create"],
    'svc: There is no command "svc auth kyes".\nDid you mean `svc auth keys`?\nUsage: svc auth COMMAND [flags]\n',
  ],
  [
    ["auth", "token", "creat"],
    'svc: There is no command "svc auth token creat".\nDid you mean `svc auth token create`?\nUsage: svc auth token COMMAND [flags]\n',
  ],
  [
    ["--versoin"],
    "svc: svc has no flag --versoin.\nDid you mean --version?\nUsage: svc COMMAND [flags]\n",
  ],
  [
    ["--josn", "find"],
    "svc: svc has no flag --josn.\nPut flags after the command.\nUsage: svc COMMAND [flags]\n",
  ],
  [
    ["find", "q", "--limt=1"],
    "svc: There is no flag --limt.\nDid you mean --limit?\nUsage: svc find QUERY [PATH] [flags]\n",
  ],
  [
    ["auth", "keys", "create"],
    "svc: --name is required.\nUsage: svc auth keys create --name NAME [flags]\n",
  ],
])("wrong use %j names the near word and the usage", async (words, message) => {
  const { code, out, err } = await call(words);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe(message);
});

test("hidden commands run but are never suggested", async () => {
  expect((await call(["fial", "bug"])).err).not.toContain("svc fail");
});

test("a failure shows the problem and the fix, without the usage", async () => {
  expect((await call(["fail", "denied"])).err).toBe(
    "svc: No token was given.\nRun `svc auth token create --name laptop`.\n",
  );
});

test("an internal error names the log and shows no internals", async () => {
  const { err } = await call(["fail", "bug"]);
  expect(err).toContain("SERVICE_DEBUG=true");
  expect(err).not.toContain("undefined is not");
});

test("debugging shows the cause, without its secrets", async () => {
  const { err } = await call(["fail", "bug"], { debug: true });
  expect(err).toContain("TypeError: undefined is not [redacted]");
  expect(err).toContain("sample-commands.ts");
});

test("escape sequences in a message do not reach the terminal", async () => {
  expect((await call(["fail", "hostile"])).err).toBe("svc: No file evil.\n");
});

test("with --json a failure is one line of JSON on standard error", async () => {
  const { code, out, err } = await call(["fail", "denied", "--json"]);
  expect({ code, out }).toEqual({ code: 4, out: "" });
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(err)).toEqual({
    error: {
      error_code: "UNAUTHENTICATED",
      message: "No token was given.",
      hint: "Run `svc auth token create --name laptop`.",
      exit_code: 4,
    },
  });
});

test("with --jsonl too, also if a command does not have the flag", async () => {
  const { err } = await call(["show", "x", "--jsonl"]);
  expect(JSON.parse(err)).toMatchObject({ error: { error_code: "USAGE", exit_code: 2 } });
});

test("--json after -- is a word, and failures stay text", async () => {
  expect((await call(["show", "x", "--typo", "--", "--json"])).err).toMatch(/^svc: /);
});

test("an interrupted command ends with 130 and in silence", async () => {
  const interrupt = new AbortController();
  const running = call(["fail", "interrupted"], { signal: interrupt.signal });
  interrupt.abort();
  expect(await running).toEqual({ code: 130, out: "", err: "" });
});

test("a command that was interrupted and returned keeps the code it chose", async () => {
  const signal = AbortSignal.abort();
  expect((await call(["find", "nothing"], { signal })).code).toBe(1);
  expect((await call(["show", "x"], { signal })).code).toBe(130);
});

test("a reader that has gone is success, and stops the command", async () => {
  const io = createMemoryIo();
  const running = call(["fail", "interrupted"], { io });
  io.closeOutput();
  expect(await running).toMatchObject({ code: 0, err: "" });
});

test("an output that cannot be written is a failure", async () => {
  const io = createMemoryIo();
  io.closeOutput(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  const { code, err } = await call(["find", "q"], { io });
  expect(code).toBe(2);
  expect(err).toContain("The disk is full.");
  // The disk of the data may be another one.
  expect(err).toMatch(/^The output could not be written: free some space/m);
});

test("help and usage errors never create a context", async () => {
  for (const words of [[], ["--help"], ["auth"], ["find", "--help"], ["find", "--typo"]]) {
    const { err } = await call(words, { context: brokenContext });
    expect(err).not.toContain("Internal error");
  }
});

test("an error while the context is created is reported", async () => {
  const { code, err } = await call(["find", "q"], { context: brokenContext });
  expect(code).toBe(2);
  expect(err).toContain("Internal error");
});

test("the context is closed after success and after failure", async () => {
  const events: string[] = [];
  const close = () => {
    events.push("closed");
  };
  await call(["find", "q"], { close });
  await call(["fail", "bug"], { close });
  expect(events).toEqual(["closed", "closed"]);
});

test("only the chosen command is loaded", async () => {
  const loaded: string[] = [];
  const watched = ["one", "two"].map((name) => ({
    name,
    summary: name,
    load: async () => {
      loaded.push(name);
      const entry = commands[0];
      if (entry === undefined || !("load" in entry)) throw new Error("no sample command");
      return entry.load();
    },
  }));
  await call(["two", "q"], { commands: watched });
  await call([], { commands: watched });
  expect(loaded).toEqual(["two"]);
});

test("the overview has the description of the package", async () => {
  const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const about = (await call([])).out.split("\n\n")[0]?.replace("svc 1.2.3. ", "");
  expect(JSON.parse(manifest)).toHaveProperty("description", about?.replaceAll("\n", " "));
});
