import { expect, test } from "vitest";

import { importLines } from "../../../bench/references/import-lines.ts";

test("the lines of imports, also of those that continue", () => {
  expect([...importLines("a.py", "import os\nfrom a import (\n  b,\n  c)\nb = c\n")]).toEqual([
    1, 2, 3, 4,
  ]);
  expect([...importLines("a.php", "<?php\nuse A\\B;\n$b = new B;\n")]).toEqual([2]);
  expect([...importLines("a.rs", "pub use a::{\n  b,\n};\nfn use_it() {}\n")]).toEqual([1, 2, 3]);
  expect([...importLines("a.c", '#include "b.h"\n')]).toEqual([]);
});
