// The arguments with which the usual editors open a file at a line.
import { basename } from "node:path";

/** `+12 FILE`, as vi has it. */
const PLUS_LINE =
  "vi vim nvim gvim mvim view nano emacs emacsclient kak micro joe ne mg jed gedit mcedit";
/** `--goto FILE:12`. */
const GOTO = "code code-insiders codium vscodium cursor windsurf positron";
/** `FILE:12`. */
const COLON = "subl sublime_text zed zeditor hx helix atom";
/** `--line 12 FILE`. */
const LINE_FLAG =
  "idea pycharm webstorm goland clion rubymine phpstorm rider rustrover mate kate kwrite";

const EDITORS: readonly (readonly [string, (file: string, line: number) => readonly string[]])[] = [
  [PLUS_LINE, (file, line) => [`+${line}`, file]],
  [GOTO, (file, line) => ["--goto", `${file}:${line}`]],
  [COLON, (file, line) => [`${file}:${line}`]],
  [LINE_FLAG, (file, line) => ["--line", String(line), file]],
];

/**
 * Returns the arguments with which an editor opens a file at a line. `editor` is a command line, such as `code --wait`. An
 * unknown editor only gets the file. `file` must be absolute, so that no editor reads it as a flag.
 */
export function editorArguments(editor: string, file: string, line: number): readonly string[] {
  const [, double, single, plain] = /^(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(editor) ?? [];
  const program = double ?? single ?? plain ?? "";
  const name = basename(program.replaceAll("\\", "/")).replace(/\.(?:exe|cmd|bat)$/i, "");
  const known = EDITORS.find(([names]) => names.split(" ").includes(name.toLowerCase()));
  return known === undefined ? [file] : known[1](file, line);
}
