import { expect, test } from "vitest";

import { makefileTargets } from "../../../src/parse/named-uses/makefile-targets.ts";

test("what rules need, and the targets that recipes make", () => {
  const text = `.PHONY: all clean
NAME := compile
all: compile docs/index.html $(OBJECTS) | folder # then test
\t$(MAKE) install
\t@echo all: done
compile docs: clean; make clean
x.o: %.c
`;
  expect(makefileTargets(text).map(({ name, line }) => `${line} ${name}`)).toEqual([
    "3 compile",
    "3 folder",
    "4 install",
    "6 clean",
  ]);
});

test("a long line is data", () => {
  expect(makefileTargets(`\t${"make a ".repeat(60_000)};\nall: build\n`)).toEqual([
    { name: "build", line: 2, role: "value", isOwn: true },
  ]);
});
