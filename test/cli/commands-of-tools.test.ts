import { expect, test } from "vitest";

import { commands } from "../../src/cli/commands.ts";
import { withCommands } from "../../src/cli/commands-of-tools.ts";
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
});

test("other words stay", () => {
  expect(withCommands("outline of `outlines`")).toBe("outline of `outlines`");
});
