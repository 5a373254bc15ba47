import { expect, test } from "vitest";

import { compileTemplate, formatFlag } from "../../../src/cli/print/template.ts";

interface Item {
  readonly path: string;
  readonly line: number;
}

const FIELDS = {
  path: ({ path }: Item) => path,
  line: ({ line }: Item) => line,
};
const ITEM = { path: "src/a.ts", line: 12 };

function write(template: string, item: Item = ITEM): string {
  return compileTemplate(template, FIELDS)(item);
}

test.each([
  ["{path}:{line}", "src/a.ts:12\n"],
  [String.raw`{path}\t{line}\n`, "src/a.ts\t12\n"],
  [String.raw`{path}\0`, "src/a.ts\0"],
  [String.raw`\{{path}\} \\ \x`, "{src/a.ts} \\ x\n"],
  ["plain", "plain\n"],
  ["", "\n"],
  ["{path}\n", "src/a.ts\n"],
])("%j becomes %j", (template, text) => {
  expect(write(template)).toBe(text);
});

test("a value cannot control the terminal, and is not read as a template", () => {
  expect(write("{path}", { path: "a\u001b[2J{line}\\n.ts", line: 1 })).toBe("a{line}\\n.ts\n");
});

test.each([
  ["{pth}", "--format has no field {pth}.", "Did you mean {path}?"],
  ["{}", "--format has no field {}.", "The fields are path, line."],
  ["{constructor}", "--format has no field {constructor}.", "The fields are path, line."],
  [
    "{path",
    "--format has a { that begins no field or escape.",
    String.raw`Write \{ for the character itself.`,
  ],
  [
    "path}",
    "--format has a } that begins no field or escape.",
    String.raw`Write \} for the character itself.`,
  ],
  [
    "{path}\\",
    String.raw`--format has a \ that begins no field or escape.`,
    String.raw`Write \\ for the character itself.`,
  ],
])("%j is refused", (template, message, hint) => {
  expect(() => write(template)).toThrow(
    expect.objectContaining({ code: "USAGE", hint, detail: expect.stringContaining(message) }),
  );
});

test("the help of the flag names the fields", () => {
  expect(formatFlag(["path", "line"]).description).toContain("Fields: path, line.");
});
