import { describe, expect, it } from "vitest";

import { cheapCuts, sections } from "../../chunk/helpers.ts";

const rst = (text: string): string[] => sections(text, "rst");

describe("headings of reStructuredText", () => {
  it("take their level from the order of the underlines", () => {
    const text =
      "=====\nTitle\n=====\n\nOne\n---\n\nDeep\n~~~~\n\nTwo\n---\n\n=== ===\na   b\n=== ===\n";
    expect(rst(text)).toEqual(["1-16 Title", "  5-9 One", "    8-9 Deep", "  11-16 Two"]);
  });

  it("may be short, or inset below an overline", () => {
    expect(rst("CI\n--\n\n=======\n Title\n=======\n")).toEqual(["1-6 CI", "  4-6 Title"]);
  });

  it("are not found in code, tables and paragraphs", () => {
    const text = [
      "A",
      "=",
      "",
      "Code::",
      "",
      "    B",
      "    =",
      "",
      "====",
      "text",
      "====",
      "more",
      "====",
      "",
      "two lines",
      "of text",
      "-------",
    ].join("\n");
    expect(rst(text)).toEqual([]);
    expect(rst(`Aa\n==\n\n${text}`)).toEqual(["1-20 Aa"]);
  });

  it("lose the markup of roles, links and emphasis, and keep underscores", () => {
    expect(rst("The :class:`~a.Pool` **class** `docs <x>`_ of ``__main__``\n=====\n")).toEqual([
      "1-2 The a.Pool class docs of __main__",
    ]);
  });
});

describe("labels of reStructuredText", () => {
  it("belong to the section that follows, unless they repeat its title", () => {
    const text = "Intro\n=====\n\ntext\n\n.. _pool-size:\n.. _limits:\n\nLimits\n------\n\ntext\n";
    expect(rst(text)).toEqual(["1-12 Intro", "  6-12 Limits", "    6-6 pool-size*"]);
  });
});

describe("documented definitions of reStructuredText", () => {
  it("have the names of the signatures and the range of their text", () => {
    const text = [
      "API",
      "===",
      "",
      ".. py:class:: Pool(size=5, *, name: str = 'a')",
      "",
      "   A pool.",
      "",
      "   .. method:: acquire(timeout) -> Connection",
      "               acquire_nowait()",
      "",
      "      Waits.",
      "",
      ".. function:: net.open(path)",
      ".. c:function:: const char *pool_name(struct pool *p)",
      ".. c:var:: int (*pool_hook)(void)",
      "",
      ".. option:: -v, --verbose <level>",
      "",
      ".. data:: LIMIT: int",
      "",
      "Text.",
    ].join("\n");
    expect(rst(text)).toEqual([
      "1-21 API",
      "  4-11 Pool",
      "    9-9 acquire_nowait*",
      "    8-11 acquire",
      "  13-13 net.open",
      "  14-14 pool_name",
      "  15-15 pool_hook",
      "  17-17 -v*",
      "  17-17 --verbose",
      "  19-19 LIMIT",
    ]);
  });

  it("drop the class that encloses them from their names", () => {
    const text =
      ".. class:: Pool\n\n   .. method:: Pool.acquire(*others)\n               pool & other\n\n.. method:: Pool.close()\n";
    expect(rst(text)).toEqual(["1-4 Pool", "  3-4 acquire", "6-6 Pool.close"]);
  });
});

describe("code blocks of reStructuredText", () => {
  it("are not cut at their blank lines", () => {
    const text = "Text::\n\n  a\n\n  b\n\nText\n\n.. code-block:: c\n\n  a\n\n  b\n\nText";
    expect(cheapCuts(text, "rst")).toEqual([7, 9, 15]);
  });
});
