import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";
import { withPager } from "../../src/cli/pager.ts";
import { tree } from "../helpers/tree.ts";

type Io = ReturnType<typeof createMemoryIo>;
type Print = Parameters<typeof withPager<number>>[2];

const { signal } = new AbortController();

/** A terminal of five lines, with a pager that writes its input and its variables into a file. */
function place(): { readonly io: Io; readonly paged: () => string } {
  const folder = tree({ "paged.txt": "" });
  onTestFinished(folder.dispose);
  const file = join(folder.path, "paged.txt");
  const pager = `(echo "LESS=$LESS"; cat) > '${file}'`;
  const io = createMemoryIo({ isTerminal: true, errIsTerminal: true, rows: 5, pager });
  return { io, paged: () => readFileSync(file, "utf8") };
}

function print(lines: number): Print {
  return ({ io }) => {
    io.err("A note.\n");
    for (let at = 0; at < lines; at += 1) io.out(`line ${at}\n`);
    return lines;
  };
}

function failing(context: Parameters<Print>[0]): never {
  void print(9)(context);
  throw new Error("broken");
}

test("output that fits the window goes to the terminal", async () => {
  const { io, paged } = place();
  expect(await withPager({ io, signal }, true, print(3))).toBe(3);
  expect([io.stdout(), io.stderr()]).toEqual(["line 0\nline 1\nline 2\n", "A note.\n"]);
  expect(paged()).toBe("");
});

test("longer output goes to the pager, with its notes, in order", async () => {
  const { io, paged } = place();
  expect(await withPager({ io, signal }, true, print(5))).toBe(5);
  expect([io.stdout(), io.stderr()]).toEqual(["", ""]);
  expect(paged()).toBe(
    `LESS=${process.env["LESS"] ?? "FRX"}\nA note.\nline 0\nline 1\nline 2\nline 3\nline 4\n`,
  );
});

test.each<[string, boolean, Parameters<typeof createMemoryIo>[0]]>([
  ["--no-pager", false, { isTerminal: true, rows: 5, pager: "false" }],
  ["no terminal", true, { rows: 5, pager: "false" }],
  ["no pager", true, { isTerminal: true, rows: 5 }],
])("%s: output goes to the terminal", async (_name, isWanted, options) => {
  const io = createMemoryIo(options);
  await withPager({ io, signal }, isWanted, print(9));
  expect(io.stdout().split("\n")).toHaveLength(10);
});

test("a pager that does not exist is reported, and the output is printed", async () => {
  const pager = "/nonexistent/pager 2>/dev/null";
  const io = createMemoryIo({ isTerminal: true, errIsTerminal: true, rows: 5, pager });
  expect(await withPager({ io, signal }, true, print(9))).toBe(9);
  expect(io.stdout().split("\n")).toHaveLength(10);
  expect(io.stderr()).toContain(`The pager "${pager}" did not start.`);
});

test("a pager that ends early ends the work, which is success", async () => {
  const io = createMemoryIo({ isTerminal: true, rows: 5, pager: "head -n 1 > /dev/null" });
  let pages = 0;
  const result = await withPager({ io, signal }, true, async (paged) => {
    for (;;) {
      paged.io.out("a line\n".repeat(1000));
      pages += 1;
      // oxlint-disable-next-line no-await-in-loop -- each page waits for the one before
      await paged.io.flush();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      paged.signal.throwIfAborted();
    }
  });
  expect(result).toBeUndefined();
  expect(pages).toBeGreaterThan(0);
});

test("a failure is not hidden, and comes after the output", async () => {
  const { io, paged } = place();
  await expect(withPager({ io, signal }, true, failing)).rejects.toThrow("broken");
  expect(paged()).toContain("line 8\n");
});
