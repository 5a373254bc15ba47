import { describe, expect, it } from "vitest";

import { cheapCuts, sections } from "../../chunk/helpers.ts";

const org = (text: string): string[] => sections(text, "org");

describe("headlines of Org", () => {
  it("nest by their stars below the title", () => {
    expect(org("#+TITLE: Notes\n\n* A\n** B\n* C\n*bold* no\n")).toEqual([
      "1-6 Notes",
      "  3-4 A",
      "    4-4 B",
      "  5-6 C",
    ]);
  });

  it("lose their state, priority, progress, tags and markup", () => {
    const text =
      "#+TODO: OPEN(o) | SHUT(s@)\n* TODO [#A] Write the =code= [1/2]   :work:now:\n* OPEN [[http://a][Link]] and ~x~\n* SHUT\n* TODOs\n";
    expect(org(text)).toEqual(["2-2 Write the code", "3-3 Link and x", "4-4 -", "5-5 TODOs"]);
  });

  it("are not found in blocks, unless the block has no end", () => {
    const text = "* A\n#+BEGIN_SRC org\n* no\n#+end_src\n#+begin_quote\n* B\n";
    expect(org(text)).toEqual(["1-5 A", "6-6 B"]);
  });
});

describe("labels of Org", () => {
  it("are names, targets and identifiers", () => {
    const text = "* A\n:PROPERTIES:\n:CUSTOM_ID: setup\n:END:\n#+NAME: query\n<<here>>\n";
    expect(org(text)).toEqual(["1-6 A", "  3-3 setup*", "  5-5 query*", "  6-6 here*"]);
  });
});

describe("blocks of Org", () => {
  it("are not cut at their blank lines", () => {
    expect(cheapCuts("a\n\n#+BEGIN_SRC c\nb\n\nc\n#+END_SRC\n\nd", "org")).toEqual([3, 9]);
  });
});
