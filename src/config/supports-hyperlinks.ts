import type { Environment } from "./paths.ts";

/** Variables that identify the terminal, in addition to TERM. */
export const TERMINAL_VARIABLES = ["TERM_PROGRAM", "VTE_VERSION", "WT_SESSION", "TMUX", "STY"];

const PROGRAMS = new Set(["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"]);
const TERMS = /^(xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour)/;
/** VTE 0.50.0 crashes on links; later versions support them. */
const MIN_VTE_VERSION = 5001;

/**
 * Whether the terminal is known to support links (OSC 8); others may print them as garbage. False in tmux and
 * screen, which may not pass links on.
 */
export function supportsHyperlinks(env: Environment): boolean {
  const { TERM: term = "", TERM_PROGRAM: program = "", VTE_VERSION: vte = "" } = env;
  if ((env["TMUX"] ?? "") !== "" || (env["STY"] ?? "") !== "" || term === "dumb") return false;
  if (PROGRAMS.has(program) || TERMS.test(term)) return true;
  return (env["WT_SESSION"] ?? "") !== "" || Number(vte) >= MIN_VTE_VERSION;
}
