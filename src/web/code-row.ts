import type { Line } from "./code-lines.ts";
import { element, link } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";

/** Returns one numbered line of code. Its number is a link to `address`. */
export function codeRow(number: number, line: Line, address: `#${string}`): HTMLElement {
  const numberLink = link(
    address,
    { class: "number", "aria-label": `Line ${number}`, tabindex: "-1" },
    String(number),
  );
  return element(
    "div",
    { class: "line" },
    numberLink,
    element("span", { class: "text" }, ...piecesOf(line), "\n"),
  );
}

function piecesOf(line: Line): readonly (Node | string)[] {
  return line.map(({ text, kind, isMarked }) => {
    const shown = makeVisible(text);
    if (isMarked) return element("mark", {}, shown);
    return kind === undefined ? shown : element("span", { class: kind }, shown);
  });
}

/** Shows a path with its last part stressed. Every part is isolated, so that none turns the direction of another. */
export function pathParts(path: string): readonly Node[] {
  const shown = makeVisible(path);
  const slash = shown.lastIndexOf("/") + 1;
  return [
    element("bdi", { class: "folder" }, shown.slice(0, slash)),
    element("bdi", { class: "file" }, shown.slice(slash)),
  ];
}
