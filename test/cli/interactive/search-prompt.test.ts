import { Writable } from "node:stream";

import { expect, test, vi } from "vitest";

import { searchPrompt, type PromptOptions } from "../../../src/cli/interactive/search-prompt.ts";
import { createStyle } from "../../../src/cli/print/style.ts";
import { foundPassage, searchResult } from "./found-passage.ts";
import { createKeyboard, KEYS } from "./typed-keys.ts";

const FOUND = Array.from({ length: 20 }, (_none, at) => foundPassage(`src/${at}.ts`));

/** A prompt with a keyboard and a window. */
function open(options: Partial<PromptOptions> = {}) {
  const { input, type } = createKeyboard();
  let written = "";
  const output = new Writable({
    write(chunk, _encoding, next) {
      written += String(chunk);
      next();
    },
  });
  const search = vi.fn<PromptOptions["search"]>(async () => searchResult(FOUND));
  const end = searchPrompt(
    {
      query: "",
      selected: 0,
      notice: "",
      search,
      read: async ({ path }) => ({ startLine: 12, lines: [`text of ${path}`] }),
      copy: ({ path }) => path,
      style: createStyle(false),
      size: () => ({ columns: 80, rows: 24 }),
      onResize: () => () => {},
      ...options,
    },
    { input, output },
  );
  /** Resolves when the last frame contains the text. */
  const shows = (text: string): Promise<void> =>
    vi.waitFor(() => expect(written.slice(written.lastIndexOf("\u001b[2K"))).toContain(text));
  return { type, search, end, shows, written: () => written };
}

test("a query is searched while it is typed, and Enter returns the selected result", async () => {
  const { type, search, end, shows } = open();
  type("bind");
  await shows(">  86  src/0.ts:12");
  await shows("text of src/0.ts");
  // Keys that arrive together cause one search.
  expect(search.mock.calls.map(([query]) => query)).toEqual(["bind"]);
  type(KEYS.down);
  type(KEYS.down);
  type(KEYS.up);
  await shows("text of src/1.ts");
  type(KEYS.enter);
  expect(await end).toEqual({ action: "open", passage: FOUND[1], query: "bind", selected: 1 });
});

test("page keys move by a page, and stop at the ends", async () => {
  const { type, end, shows } = open({ query: "bind" });
  await shows("text of src/0.ts");
  type(KEYS.pageDown);
  await shows("text of src/6.ts");
  for (let at = 0; at < 5; at += 1) type(KEYS.pageDown);
  await shows("text of src/19.ts");
  type(KEYS.pageUp);
  await shows("text of src/13.ts");
  type(KEYS.print);
  expect(await end).toMatchObject({ action: "print", selected: 13 });
});

test("the selection of an earlier prompt is kept, until the query changes", async () => {
  const { type, end, shows } = open({ query: "bind", selected: 3, notice: "It did not open." });
  await shows("text of src/3.ts");
  await shows("It did not open.");
  type("s");
  await shows("text of src/0.ts");
  type(KEYS.escape);
  expect(await end).toMatchObject({ action: "leave", query: "binds", selected: 0 });
});

test("an answer that comes late is dropped", async () => {
  const answers = new Map<string, () => void>();
  const { type, shows, written, end } = open({
    search: (query, signal) =>
      new Promise((resolve, reject) => {
        answers.set(query, () => resolve(searchResult([foundPassage(`${query}.ts`)])));
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  });
  type("one");
  await vi.waitFor(() => expect(answers.has("one")).toBe(true));
  type("2");
  await vi.waitFor(() => expect(answers.has("one2")).toBe(true));
  answers.get("one2")?.();
  await shows("one2.ts:12");
  answers.get("one")?.();
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  expect(written()).not.toContain("one.ts");
  type(KEYS.escape);
  await end;
});

test("Ctrl-Y copies and goes on; Tab and Enter without a result do nothing", async () => {
  const { type, end, shows } = open({ query: "bind" });
  await shows("text of src/0.ts");
  type(KEYS.tab);
  type(KEYS.copy);
  await shows("Copied src/0.ts");
  type(KEYS.escape);
  expect(await end).toMatchObject({ query: "bind" });

  const none = open({ search: async () => searchResult([]), query: "none" });
  await none.shows('No results in "project"');
  none.type(KEYS.enter);
  none.type("x");
  await none.shows("nonex");
  none.type(KEYS.escape);
  expect(await none.end).toMatchObject({ action: "leave", query: "nonex" });
});

test("a failure is shown, and the next key searches again", async () => {
  let isBroken = true;
  const { type, end, shows } = open({
    query: "bind",
    search: async () => {
      if (isBroken) throw new Error("the disk is gone");
      return searchResult(FOUND);
    },
  });
  await shows("Internal error");
  isBroken = false;
  type("s");
  await shows("src/0.ts:12");
  type(KEYS.escape);
  expect(await end).toMatchObject({ query: "binds" });
});

test("Ctrl-C rejects, Ctrl-D leaves", async () => {
  const interrupted = open({ query: "bind" });
  await interrupted.shows("src/0.ts");
  interrupted.type(KEYS.interrupt);
  await expect(interrupted.end).rejects.toMatchObject({ name: "ExitPromptError" });

  const ended = open();
  ended.type(KEYS.end);
  expect(await ended.end).toMatchObject({ action: "leave" });
});
