import { expect, test } from "vitest";

import { editorArguments } from "../../../src/cli/interactive/editor-arguments.ts";

test.each<[editor: string, args: readonly string[]]>([
  ["vim", ["+12", "/a/-b.ts"]],
  ["/usr/bin/nvim -u NONE", ["+12", "/a/-b.ts"]],
  ["emacsclient -nw", ["+12", "/a/-b.ts"]],
  ["nano", ["+12", "/a/-b.ts"]],
  ["code --wait", ["--goto", "/a/-b.ts:12"]],
  ['"/Applications/Visual Studio Code/bin/code" -w', ["--goto", "/a/-b.ts:12"]],
  ["'C:\\Program Files\\Cursor\\cursor.cmd'", ["--goto", "/a/-b.ts:12"]],
  ["subl -w", ["/a/-b.ts:12"]],
  ["hx", ["/a/-b.ts:12"]],
  ["idea", ["--line", "12", "/a/-b.ts"]],
  ["my-editor", ["/a/-b.ts"]],
  ["", ["/a/-b.ts"]],
])("%s", (editor, args) => {
  expect(editorArguments(editor, "/a/-b.ts", 12)).toEqual(args);
});
