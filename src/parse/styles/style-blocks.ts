// The style sheets inside of a component or a page.

import { lineNumbers } from "../shared-names/named-text.ts";
import { styleSyntax } from "./style-dialect.ts";
import type { StyleSheetOptions } from "./style-sheet.ts";

/** A style sheet in a file. Offsets are in UTF-16 code units. */
export interface StyleBlock {
  readonly start: number;
  readonly end: number;
  /** Undefined if svc does not read its syntax. */
  readonly options: StyleSheetOptions | undefined;
  /** The name under which scripts reach its classes, in Vue: `$style`. */
  readonly moduleName: string | undefined;
  /** The file that has the style sheet instead: `<style src="…">`. */
  readonly source: string | undefined;
}

/** Maximum style sheets of a file. */
const MAX_BLOCKS = 100;
const OPENING = /<style\b([^<>]{0,1000})>/gi;

/** Returns the style sheets in a file. `isScoped`: whether they are those of the component by default. */
export function styleBlocks(
  text: string,
  { isScoped: isScopedByDefault }: { readonly isScoped: boolean },
): readonly StyleBlock[] {
  const found: StyleBlock[] = [];
  const lineAt = lineNumbers(text);
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const attributes = match[1] ?? "";
    const start = OPENING.lastIndex;
    const end = attributes.endsWith("/") ? start : text.indexOf("</style", start);
    if (end === -1 || found.length === MAX_BLOCKS) break;
    const syntax = styleSyntax(valueOf(attributes, "lang") ?? "css");
    const isModule = /(?:^|\s)module\b/.test(attributes);
    const isGlobal = /(?:^|\s)(?:is:)?global\b/.test(attributes);
    const isScoped =
      !isGlobal && (isScopedByDefault || isModule || /(?:^|\s)scoped\b/.test(attributes));
    found.push({
      start,
      end,
      options: syntax && { ...syntax, isScoped, firstLine: lineAt(start) },
      moduleName: isModule ? (valueOf(attributes, "module") ?? "$style") : undefined,
      source: valueOf(attributes, "src"),
    });
    OPENING.lastIndex = end;
  }
  return found;
}

function valueOf(attributes: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']?([^"'\\s]+)`).exec(attributes)?.[1];
}

/** Returns a text with blanks for its style sheets; lines and offsets stay. */
export function withoutBlocks(text: string, blocks: readonly StyleBlock[]): string {
  let kept = "";
  let from = 0;
  for (const { start, end } of blocks) {
    kept += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ");
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}
