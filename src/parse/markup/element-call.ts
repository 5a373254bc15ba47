// An element of a component as code: a call that gets an object with what the attributes set.
import { copyCode, isWholeCode, type Renamed } from "./script-code.ts";
import type { AppendedText, SourcePart } from "./appended-text.ts";

/** A property that an attribute sets. */
export interface PassedProperty {
  /** Undefined for `{...rest}`. */
  readonly key: SourcePart | undefined;
  /** Undefined for a text. */
  readonly value: SourcePart | undefined;
}

/** Writes code of the markup. */
export interface MarkupCode {
  readonly out: AppendedText;
  readonly rename: ((name: string) => Renamed | undefined) | undefined;
}

const KEY = /^[A-Za-z_$][\w$]*$/;
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;

/** Returns whether a text is a name or a path of names. */
export function isNamePath(text: string): boolean {
  return PATH.test(text);
}

/** Returns whether a tag is a component by its name alone: `Card`, `ui.card`. */
export function isComponentName(tag: string): boolean {
  return isNamePath(tag) && (/^\p{Lu}/u.test(tag) || tag.includes("."));
}

/** Writes code in brackets. Code that is not complete is left out. Returns whether it was written. */
export function writeValue(
  { out, rename }: MarkupCode,
  code: SourcePart,
  [open, close]: readonly [string, string] = ["(", ")"],
): boolean {
  if (code.text.trim() === "" || !isWholeCode(code.text)) return false;
  out.add(open);
  copyCode(out, code, rename);
  // A comment may end the code.
  out.add(code.text.includes("//") ? `\n${close}` : close);
  return true;
}

/** Writes the call of a component. `tag`: its name as in code. */
export function writeElement(
  code: MarkupCode,
  tag: SourcePart,
  properties: readonly PassedProperty[],
): void {
  const { out } = code;
  out.copy(tag);
  out.add("({");
  for (const { key, value } of properties) {
    if (key === undefined) {
      if (value !== undefined) writeValue(code, value, ["...(", "),"]);
      continue;
    }
    if (!KEY.test(key.text)) {
      if (value !== undefined) writeValue(code, value, ["...(", "),"]);
      continue;
    }
    out.copy(key);
    if (value === undefined || !writeValue(code, value, [": (", "),"])) out.add(': "",');
  }
  out.add("})");
}
