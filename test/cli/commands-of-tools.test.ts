import { expect, test } from "vitest";

import { commands } from "../../src/cli/commands.ts";
import { withCommands, withFlag } from "../../src/cli/commands-of-tools.ts";
import { locate } from "../../src/cli/locate.ts";
import { tools } from "../../src/tools/registry.ts";

test.each(tools.map(({ name }) => name))("a hint with the tool %s names a command", (tool) => {
  const hint = withCommands(`Try \`${tool}\` with its words.`);
  const [, command = ""] = /^Try `svc (.*)` with its words\.$/.exec(hint) ?? [];
  expect(locate(command.split(" "), commands).leaf).toBeDefined();
});

test("a command that is named already is named once", () => {
  expect(withCommands("`index_status` (or `svc status`) lists them. Run `svc index`.")).toBe(
    "`svc status` lists them. Run `svc index`.",
  );
  expect(withCommands("`search_text` (or `svc grep -Fw open`) lists them.")).toBe(
    "`svc grep -Fw open` lists them.",
  );
});

test("hints about arguments and paths are those of a shell", () => {
  expect(withCommands("for literal text omit `regex`, or use -F in a shell.")).toBe(
    "for literal text use -F.",
  );
  expect(withCommands("It has 2 of other kinds: relation `references` lists them.")).toBe(
    "It has 2 of other kinds: `-r references` lists them.",
  );
  expect(
    withCommands("Paths are relative to the source root, with `/`; `outline` lists them."),
  ).toBe("Paths are relative to this folder; `svc outline` lists them.");
});

test("other words stay", () => {
  expect(withCommands("outline of `outlines`")).toBe("outline of `outlines`");
});

test("a message about an argument of a tool names the flag or argument of the command", () => {
  const names = { flags: new Set(["since", "max-tokens"]), args: new Set(["target"]) };
  expect(withFlag('since: "x" is not a time.', names)).toBe('--since: "x" is not a time.');
  expect(withFlag("max_tokens: must be a number.", names)).toBe("--max-tokens: must be a number.");
  expect(withFlag("target: unknown.", names)).toBe("TARGET: unknown.");
  expect(withFlag("kind: unknown. since: x", names)).toBe("kind: unknown. since: x");
});
