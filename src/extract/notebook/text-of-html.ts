import { decodeEntities } from "../../parse/sections/html-text.ts";

/** Returns the text of the HTML that a cell has put out: a line for each row of a table and for each block. */
export function textOfHtml(html: string): string {
  return withoutElements(withoutElements(html, "style"), "script")
    .replace(/\s+/gu, " ")
    .replace(/<\/t[dh]>(?= ?<t[dh][\s>])/giu, " | ")
    .replace(/<(?:\/(?:tr|p|div|li|h[1-6]|pre)|br ?\/?)>/giu, "\n")
    .replace(/<[^<>]*>/gu, "")
    .split("\n")
    .map((line) => decodeEntities(line).replace(/\s+/gu, " ").trim())
    .filter((line) => line !== "" && line !== "|")
    .join("\n");
}

/** Removes the elements of a name with their content. */
function withoutElements(html: string, name: string): string {
  let text = "";
  let at = 0;
  let isOpen = false;
  for (const { 1: slash, index } of html.matchAll(new RegExp(`<(/?)${name}\\b`, "giu"))) {
    if (!isOpen) text += html.slice(at, index);
    isOpen = slash === "";
    at = index;
  }
  return isOpen ? text : text + html.slice(at);
}
