import { expect, test } from "vitest";

import { occurrencesIn } from "../../../bench/references/occurrences.ts";
import { packedGrammars } from "../../../src/engine/packed-grammars.ts";

const grammars = await packedGrammars();

test.each([
  [
    "python",
    "def load(path):\n    return read(path, path)  # read it\n",
    ["path 1:10", "read 2:12"],
  ],
  [
    "go",
    'package a\n\nfunc Load(p Path) error { return os.Open("x", p) }\n',
    ["Path 3:13", "error 3:19", "os 3:34", "Open 3:37"],
  ],
  ["rust", "fn load() -> Store { io::open() }\n", ["Store 1:14", "io 1:22", "open 1:26"]],
  ["java", "class A { B load() { return open(); } }\n", ["B 1:11", "open 1:29"]],
])("names of definitions, and names twice on a line, are left out: %s", (language, text, names) => {
  const found = occurrencesIn(grammars, language, text).map(
    ({ name, line, column }) => `${name} ${line}:${column}`,
  );
  expect(found.filter((one) => !/^(?:a|p|r) /.test(one))).toEqual(names);
});
