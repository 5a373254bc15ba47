import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { searchInteractively } from "../../../src/cli/interactive/search-interactively.ts";
import { createMemoryIo } from "../../../src/cli/io.ts";
import { tree } from "../../helpers/tree.ts";
import { foundPassage, searchResult } from "./found-passage.ts";
import { createKeyboard, KEYS } from "./typed-keys.ts";

const FOUND = [foundPassage("src/a.ts"), foundPassage("src/-b.ts")];

type Options = Parameters<typeof createMemoryIo>[0];

function start(options: Options = {}, fileOf = (path: string): string | undefined => `/${path}`) {
  const { input, type } = createKeyboard();
  const io = createMemoryIo({ isTerminal: true, errIsTerminal: true, ...options });
  const aborter = new AbortController();
  const refresh = vi.fn<() => Promise<void>>(async () => {});
  const code = searchInteractively(
    { io, signal: aborter.signal },
    {
      query: "bind\u001b[2J",
      fileOf,
      refresh,
      input,
      search: async () => searchResult(FOUND),
      read: async () => undefined,
    },
  );
  const shows = (text: string, window = io.stdout): Promise<void> =>
    vi.waitFor(() => expect(window()).toContain(text));
  return { io, type, code, shows, refresh, abort: () => aborter.abort() };
}

/** An editor that writes its arguments into a file. */
function editor(): { readonly command: string; readonly opened: () => string } {
  const folder = tree({ vim: "", "args.txt": "" });
  onTestFinished(folder.dispose);
  const file = join(folder.path, "args.txt");
  return {
    command: `printf '%s|' >> '${file}'`,
    opened: () => readFileSync(file, "utf8"),
  };
}

test("the window is an alternate screen, and Esc leaves it with 0", async () => {
  const { io, type, code, shows } = start();
  await shows("src/a.ts:12");
  type(KEYS.escape);
  expect(await code).toBe(0);
  const text = io.stdout();
  expect(text.startsWith("\u001b[?1049h")).toBe(true);
  expect(text.endsWith("\u001b[?1049l\u001b[?25h")).toBe(true);
  expect(text).toContain("> bind\n");
});

test("Ctrl-O prints the location below", async () => {
  const { io, type, code, shows } = start();
  await shows("src/a.ts:12");
  type(KEYS.down);
  await shows(">  86  src/-b.ts:12");
  type(KEYS.print);
  expect(await code).toBe(0);
  expect(io.stdout()).toMatch(/\[\?1049l\S*src\/-b\.ts:12\n$/);
});

test("Enter opens the editor, refreshes the index, and the prompt goes on where it was", async () => {
  const { command, opened } = editor();
  const { io, type, code, shows, refresh } = start({ editor: command });
  await shows("src/a.ts:12");
  type(KEYS.down);
  await shows(">  86  src/-b.ts:12");
  type(KEYS.enter);
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledOnce());
  // An editor that is not known gets only the file.
  expect(opened()).toBe("/src/-b.ts|");
  await vi.waitFor(() => expect(io.stdout().split("\u001b[?1049h")).toHaveLength(3));
  await vi.waitFor(() =>
    expect(io.stdout().split("\u001b[?1049h")[2]).toContain(">  86  src/-b.ts:12"),
  );
  type(KEYS.escape);
  expect(await code).toBe(0);
});

test.each<[string, Options, (path: string) => string | undefined]>([
  ["Set VISUAL or EDITOR", {}, (path) => path],
  ["This file is not on this machine.", { editor: "true" }, () => undefined],
  ["did not start", { editor: "/nonexistent/editor 2>/dev/null" }, (path) => `/${path}`],
])("%s: the prompt goes on and says so", async (notice, options, fileOf) => {
  const { type, code, shows, refresh } = start(options, fileOf);
  await shows("src/a.ts:12");
  type(KEYS.enter);
  await shows(notice);
  expect(refresh).not.toHaveBeenCalled();
  type(KEYS.escape);
  expect(await code).toBe(0);
});

test("Ctrl-Y copies the location through the terminal", async () => {
  const { io, type, code, shows } = start();
  await shows("src/a.ts:12");
  type(KEYS.copy);
  const encoded = Buffer.from("src/a.ts:12").toString("base64");
  await shows("Copied src/a.ts:12");
  expect(io.stdout()).toContain(`\u001b]52;c;${encoded}\u0007`);
  type(KEYS.escape);
  await code;
});

test("without a terminal as output, the window is on standard error and Enter prints the location", async () => {
  const { io, type, code, shows } = start({ isTerminal: false });
  await shows("src/a.ts:12", io.stderr);
  type(KEYS.enter);
  expect(await code).toBe(0);
  expect(io.stdout()).toBe("src/a.ts:12\n");
});

test("Ctrl-C ends with 130, and so does a signal", async () => {
  const typed = start();
  await typed.shows("src/a.ts:12");
  typed.type(KEYS.interrupt);
  expect(await typed.code).toBe(130);
  const aborted = start();
  await aborted.shows("src/a.ts:12");
  aborted.abort();
  // The program adds the code of an interrupted command.
  expect(await aborted.code).toBeUndefined();
  expect(aborted.io.stdout().endsWith("\u001b[?1049l\u001b[?25h")).toBe(true);
});

test("a new size clears the window and draws again", async () => {
  const { io, type, code, shows } = start();
  await shows("src/a.ts:12");
  const before = io.stdout().length;
  process.emit("SIGWINCH");
  await vi.waitFor(() => {
    const drawn = io.stdout().slice(before);
    expect(drawn.startsWith("\u001b[2J\u001b[H")).toBe(true);
    expect(drawn).toContain("src/a.ts:12");
  });
  type(KEYS.escape);
  await code;
});

test("Esc leaves at once, and a key whose sequence comes in two parts is not Esc", async () => {
  const { type, code, shows } = start();
  await shows("src/a.ts:12");
  type(KEYS.down.slice(0, 1));
  type(KEYS.down.slice(1));
  await shows(">  86  src/-b.ts:12");
  type(KEYS.escape);
  // Node's own decoder waits for 500 ms.
  const late = new Promise((resolve) => {
    setTimeout(() => resolve("late"), 450);
  });
  expect(await Promise.race([code, late])).toBe(0);
});
