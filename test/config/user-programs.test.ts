import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { editorIn, isInstalled, pagerIn } from "../../src/config/user-programs.ts";
import { tree } from "../helpers/tree.ts";

test.each<[Parameters<typeof pagerIn>[0], string | undefined, string | undefined]>([
  [{}, undefined, "less"],
  [{ PAGER: "more" }, undefined, "more"],
  [{ PAGER: "more" }, "most -s", "most -s"],
  [{ PAGER: "more", NO_PAGER: "1" }, "most", undefined],
  [{ NO_PAGER: "" }, undefined, "less"],
  [{ PAGER: "" }, undefined, undefined],
  [{ PAGER: "more" }, "cat", undefined],
  [{ TERM: "dumb" }, undefined, undefined],
])("the pager of %j with the setting %j is %j", (env, setting, pager) => {
  expect(pagerIn(env, setting)).toBe(pager);
});

test.each<[Parameters<typeof editorIn>[0], string | undefined]>([
  [{}, undefined],
  [{ EDITOR: "vim" }, "vim"],
  [{ EDITOR: "vim", VISUAL: "code --wait" }, "code --wait"],
  [{ EDITOR: "vim", VISUAL: " " }, "vim"],
])("the editor of %j is %j", (env, editor) => {
  expect(editorIn(env)).toBe(editor);
});

test("a program is installed if a folder of PATH has it", () => {
  const folder = tree({ "bin/less": "" });
  onTestFinished(folder.dispose);
  const PATH = `:${join(folder.path, "none")}:${join(folder.path, "bin")}`;
  expect(isInstalled("less", { PATH })).toBe(process.platform !== "win32");
  expect(isInstalled("more", { PATH })).toBe(false);
  expect(isInstalled("less", {})).toBe(false);
});
