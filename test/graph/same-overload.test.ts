import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

/** Returns the lines of the uses of each definition of a name, by "path:line". */
async function usesOf(
  files: Readonly<Record<string, string>>,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const reader = await memoryIndex(files);
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const found: Record<string, string> = {};
  for (const symbol of await reader.symbolsNamed(name, 20)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const uses = await graph.referencesTo(symbol);
    found[`${symbol.path}:${symbol.nameLine}`] = uses.map(({ line }) => line).join(" ");
  }
  return found;
}

test("a method of C++ has the uses of its declaration, and a template those of a template", async () => {
  expect(
    await usesOf(
      {
        "list.hpp": `class List {
 public:
  template <typename T> void push(T value);
  void push(Item* item, int at);
};
template <typename T> void List::push(T value) {}
inline void List::push(Item* item, int at) {}
void run(List& list, Item* item) {
  list.push(1);
  list.push(item, 2);
}
`,
      },
      "push",
    ),
  ).toEqual({ "list.hpp:3": "9", "list.hpp:4": "10", "list.hpp:6": "9", "list.hpp:7": "10" });
});

test("definitions without known parameters may be the same: C has no overloads", async () => {
  const files = {
    "list.h": "void push(int value);\n",
    "list.c": '#include "list.h"\nvoid push(int value) {}\nvoid run(void) { push(1); }\n',
  };
  expect(await usesOf(files, "push")).toEqual({ "list.h:1": "3", "list.c:2": "3" });
});
