import { expect, test } from "vitest";

import { shellCommands } from "../../../src/parse/named-uses/shell-commands.ts";

function namesIn(text: string): readonly string[] {
  return shellCommands(text).map(({ name, line, role }) => `${line} ${role} ${name}`);
}

test("commands, wherever they begin", () => {
  const script = `#!/bin/sh
log_line hi && die "no" || A=1 B="x" run_it; x=$(count_all 1)
if is_ready; then start; else stop_all | keep; fi # not_this
trap cleanup EXIT
echo log_line "word; other" 'quoted; none' "$(in_text 1)"
own() { helper; }
`;
  expect(namesIn(script)).toEqual([
    "2 call log_line",
    "2 call die",
    "2 call run_it",
    "2 call count_all",
    "3 call is_ready",
    "3 call start",
    "3 call stop_all",
    "3 call keep",
    "4 call cleanup",
    "5 call in_text",
    "6 call helper",
  ]);
});

test("variables, and no text of a here document", () => {
  expect(namesIn('cat <<EOF\nrun_it\nEOF\nuse_it "$ROOT_DIR/${NAME}"\n')).toEqual([
    "4 call use_it",
    "4 value ROOT_DIR",
    "4 value NAME",
  ]);
});

test.each(["(", "$(", '"', "'", "`", "a=", "a=b ", "if ", "<<E ", "\\", "# ", "${A"])(
  "200 KB of %s are read in time",
  (part) => {
    const text = part.repeat(200_000 / part.length);
    expect(shellCommands(text)).toEqual([]);
    const lines = `${part.repeat(300)}\n`.repeat(300);
    expect(shellCommands(lines).length).toBeLessThan(100_000);
  },
);
