import { expect, test } from "vitest";
import { supportsHyperlinks } from "../../src/config/supports-hyperlinks.ts";

test.each([
  [{}, false],
  [{ TERM: "xterm-256color" }, false],
  [{ TERM: "xterm-kitty" }, true],
  [{ TERM_PROGRAM: "vscode" }, true],
  [{ TERM_PROGRAM: "Apple_Terminal" }, false],
  [{ VTE_VERSION: "5000" }, false],
  [{ VTE_VERSION: "7600" }, true],
  [{ WT_SESSION: "8a1b" }, true],
  [{ TERM_PROGRAM: "WezTerm", TMUX: "/tmp/tmux-0" }, false],
  [{ TERM: "dumb", TERM_PROGRAM: "vscode" }, false],
])("in %j links are known to be shown: %s", (env, known) => {
  expect(supportsHyperlinks(env)).toBe(known);
});
