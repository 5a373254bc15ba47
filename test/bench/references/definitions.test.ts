import { expect, test } from "vitest";

import { definitionsIn } from "../../../bench/references/definitions.ts";
import type { NavigationTree } from "../../../bench/references/language-service.ts";

const TEXT = `export const open = async (path: string) => read(path);
const LIMIT = 3;
class Store {
  path = "";
  get size() { return 1; }
  set size(value) {}
  load() { const inner = 1; return inner; }
}
interface Shape { area(): number; name: string }
`;

function node(
  kind: string,
  text: string,
  childItems: readonly NavigationTree[] = [],
): NavigationTree {
  const start = TEXT.search(new RegExp(String.raw`\b${text}\b`));
  const nameSpan = { start, length: text.length };
  return { kind, text, spans: [nameSpan], nameSpan, childItems };
}

test("what is inside of functions is left out, and a name of a container is one definition", () => {
  const tree = node("module", "file", [
    node("const", "open"),
    node("const", "LIMIT"),
    node("class", "Store", [
      node("property", "path"),
      node("getter", "size"),
      node("setter", "size"),
      node("method", "load", [node("const", "inner")]),
    ]),
    node("interface", "Shape", [node("method", "area"), node("property", "name")]),
  ]);

  const found = definitionsIn(tree, TEXT).map(
    ({ kind, container, name }) => `${kind} ${container}.${name}`,
  );

  expect(found).toEqual([
    "function .open",
    "constant .LIMIT",
    "class .Store",
    "field Store.path",
    "method Store.size",
    "method Store.load",
    "interface .Shape",
    "member Shape.area",
    "member Shape.name",
  ]);
});
