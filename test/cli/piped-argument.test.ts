import { expect, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";
import { argumentOrInput } from "../../src/cli/piped-argument.ts";

const { signal } = new AbortController();

function read(value: string | undefined, input?: string): Promise<string> {
  const io = createMemoryIo(input === undefined ? {} : { input });
  return argumentOrInput({ name: "QUERY", value, example: "svc search x" }, { io, signal });
}

test.each<[name: string, value: string | undefined, input: string | undefined, text: string]>([
  ["an argument is itself", "parse", "from a pipe", "parse"],
  [
    "- is standard input, without the blanks around it",
    "-",
    " where are\n tokens? \n",
    "where are\n tokens?",
  ],
  ["no argument is standard input", undefined, "tokens\n", "tokens"],
])("%s", async (_name, value, input, text) => {
  expect(await read(value, input)).toBe(text);
});

test.each<[string | undefined, string | undefined]>([
  [undefined, undefined],
  ["", undefined],
  [undefined, ""],
  ["-", " \n"],
])("nothing is a mistake: %j, %j", async (value, input) => {
  await expect(read(value, input)).rejects.toMatchObject({
    code: "USAGE",
    detail: expect.stringContaining("QUERY is missing"),
    hint: "For example: svc search x",
  });
});

test("a long input is cut", async () => {
  expect(await read("-", "x".repeat(200_000))).toHaveLength(100_000);
});
