// Indexed files, file names and git messages are other people's text: shown raw, they could move the
// cursor, rewrite lines already printed, set the clipboard (OSC 52) or reorder what is read.

import { BIDI_CONTROLS, invisibleCharacters } from "../../base/hidden-characters.ts";

const ESCAPE = "\\u001b";
/** Strings that end with BEL or ST: OSC, DCS, SOS, PM, APC, each by its 7-bit or 8-bit introducer. */
const CONTROL_STRING = new RegExp(
  `(?:${ESCAPE}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)?`,
  "g",
);
/** CSI sequences, then all other escape sequences (ECMA-48, 5.3 and 5.4). */
const SEQUENCE = new RegExp(
  `(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]?|${ESCAPE}[ -/]*[0-~]?`,
  "g",
);
const CONTROL = /[\p{Cc}--[\n\t]]/gv;

/** The text without escape sequences, control characters (but newline and tab), bidi controls and invisible ones. */
export function safeText(text: string): string {
  return text
    .replace(CONTROL_STRING, "")
    .replace(SEQUENCE, "")
    .replace(CONTROL, "")
    .replace(BIDI_CONTROLS, "")
    .replace(invisibleCharacters(), "");
}

/** `safeText` on one line: line breaks and tabs become single spaces. */
export function safeLine(text: string): string {
  return safeText(text).replace(/[\n\t\u2028\u2029]+/g, " ");
}
