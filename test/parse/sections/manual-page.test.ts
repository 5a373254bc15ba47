import { describe, expect, it } from "vitest";

import { isManualPage, manualParts } from "../../../src/parse/sections/manual-page.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";
import { cheapCuts, chunk, sections, show } from "../../chunk/helpers.ts";

function headings(page: string): readonly string[] {
  return manualParts(splitLines(page)).headings.map(
    ({ line, level, title }) => `${line}.${level} ${title}`,
  );
}

describe("headings of manual pages", () => {
  it("nest below the name of the page", () => {
    const page = `.\\" A comment.
.TH "GIT\\-LOG" "1" "2024" "Git"
.SH "NAME"
git-log
.SH OPTIONS
.SS "General options"
.TP
\\-v
.SH
SEE ALSO
`;
    expect(sections(page, "man")).toEqual([
      "2-10 GIT-LOG(1)",
      "  3-4 NAME",
      "  5-8 OPTIONS",
      "    6-8 General options",
      "  9-10 SEE ALSO",
    ]);
  });

  it("may be in the macros of BSD", () => {
    expect(headings(".Dd $Date$\n.Dt LS 1\n.Os\n.Sh NAME\n.Ss Exit status\n'Sh B\n. Sh C")).toEqual(
      ["2.0 LS(1)", "4.1 NAME", "5.2 Exit status", "6.1 B", "7.1 C"],
    );
  });

  it("lose fonts, escapes and quotes", () => {
    const page = String.raw`.SH \fBThe\fR \f[CW]x\f[] \(aqq\(aq "a ""b"" c" \s-1D\s0 \" comment
.SS "unclosed
.SS
.B fonts
.SS a\~b\&\|c\-\[em]d\\e`;
    expect(headings(page)).toEqual([
      `1.1 The x 'q' a "b" c D`,
      "2.2 unclosed",
      "3.2 fonts",
      "5.2 a bc-—d\\e",
    ]);
  });

  it("are not other macros", () => {
    expect(headings(".SHX a\n.S a\n SH a\n.SH\n.PP\n.TH\n")).toEqual([]);
  });

  it("takes linear time for hostile lines", () => {
    const pieces = ['"', '""', "\\f(", "\\[", "a ", '\\"', "\\s"];
    const page = pieces.map((piece) => `.SH ${piece.repeat(200_000)}`).join("\n");
    expect(headings(page)).toEqual([]);
  });
});

it("examples of a manual page are not cut at their blank lines", () => {
  expect(cheapCuts(".SH A\n\n.nf\na\n\nb\n.fi\n\nc", "man")).toEqual([3, 9]);
});

describe("a manual page", () => {
  it.each(["ls.1", "man/printf.3", "openssl.1ssl", "Foo.3pm", "unbound.conf.5.in"])(
    "may be called %s",
    (path) => {
      expect(isManualPage(path, '.\\" x\n.TH LS 1\n')).toBe(true);
    },
  );

  it("is known by its content", () => {
    expect(isManualPage("app.log.1", "10:00 start\n10:01 .SH stop\n")).toBe(false);
    expect(isManualPage("notes.txt", ".TH LS 1\n")).toBe(false);
    expect(isManualPage("ls.1", ".Dt LS 1\n")).toBe(true);
  });

  it("has its sections as symbols, and other files of such names have none", async () => {
    const page = ".TH LS 1\n.SH NAME\nls \\- list\n";
    expect(show(await chunk("text", page, "ls.1"))).toBe(`1-3 section LS(1) [LS(1), NAME]

1-3 section LS(1): LS(1)
2-3 section LS(1) > NAME: NAME
`);
    expect((await chunk(undefined, page, "ls.1ssl")).symbols).toHaveLength(2);
    expect((await chunk("text", "10:00 start\n", "app.log.1")).symbols).toEqual([]);
  });
});
