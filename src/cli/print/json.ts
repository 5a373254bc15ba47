import { BIDI_CONTROLS, invisibleCharacters } from "../../base/hidden-characters.ts";
import type { Io } from "../io.ts";

/** Controls that a terminal obeys and JSON.stringify does not escape: DEL and the 8-bit controls. */
const CONTROLS = /[\u007f-\u009f]/g;

export function printJson(io: Io, value: unknown): void {
  io.out(`${safeJson(JSON.stringify(value, null, 2))}\n`);
}

/** The same JSON, with escapes for characters that a terminal obeys or hides. */
export function safeJson(json: string): string {
  return json
    .replace(CONTROLS, escaped)
    .replace(BIDI_CONTROLS, escaped)
    .replace(invisibleCharacters(), escaped);
}

function escaped(characters: string): string {
  const units = Array.from({ length: characters.length }, (_none, at) => characters.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
