import { describe, expect, it } from "vitest";

import { htmlParts, parseHtmlOutline } from "../../../src/parse/sections/html.ts";
import { splitLines } from "../../../src/parse/text-lines.ts";

/** The headings as `line.level title`. */
function headings(html: string): readonly string[] {
  return htmlParts(splitLines(html)).headings.map(
    ({ line, level, title }) => `${line}.${level} ${title}`,
  );
}

function labels(html: string): readonly string[] {
  return (htmlParts(splitLines(html)).entries ?? []).map(({ line, name }) => `${line} ${name}`);
}

describe("headings of HTML", () => {
  it("have their line, level and text", () => {
    expect(headings("<h1>A</h1>\n<H2 class='x'>\n  B\n</H2>\n\n<p><h6>C</h6>")).toEqual([
      "1.1 A",
      "2.2 B",
      "6.6 C",
    ]);
  });

  it("have no markup, entities or links to themselves", () => {
    const html = `<h1><span>1. </span><code>a&lt;b&gt;</code> &amp; <b>c</b>&nbsp;&#8211;&#x20;d<a class="headerlink" href="#a">¶</a></h1>
<h2>Two<br/>lines <a href="#x" class="permalink">#</a></h2>
<h3><img src="x" alt="Logo"></h3>
<h4>&unknown; &#0; &#xd800; &#99999999;</h4>`;
    expect(headings(html)).toEqual([
      "1.1 1. a<b> & c – d",
      "2.2 Two lines",
      "3.3 Logo",
      "4.4 &unknown; &#0; &#xd800; &#99999999;",
    ]);
  });

  it("are not those of notes in boxes", () => {
    const note = '<div class="note"><div><h3>Note</h3></div>\n<p>text</p></div>';
    expect(headings(`<h1>A</h1>\n${note}\n<h2>B</h2>\n<div class="tip"><h3>C</h3>`)).toEqual([
      "1.1 A",
      "4.2 B",
      "5.3 C",
    ]);
  });

  it("may contain blocks, and may have no end", () => {
    expect(headings("<h1><p>A</p></h1>\n<h2>B\n<p>text</p>\n<h3>C")).toEqual([
      "1.1 A",
      "2.2 B",
      "4.3 C",
    ]);
  });

  it("are not found in comments, scripts, styles and text areas", () => {
    expect(
      headings(
        "<!-- <h1>no</h1> --><script>'<h1>no</h1>'</script><style><h1>no</h1></style><textarea><h1>no</h1></textarea><h1>A</h1>",
      ),
    ).toEqual(["1.1 A"]);
  });

  it("are not those of navigation, asides and footers", () => {
    const html = `<nav><ul><nav></nav><h2>no</h2></ul></nav>
<aside><h2>no</h2></aside><footer><h2>no</h2></footer>
<div class="sphinxsidebar" role="navigation"><div><h3>no</h3></div><h3>no</h3></div>
<header><h1>A</h1></header>`;
    expect(headings(html)).toEqual(["4.1 A"]);
  });

  it.each(["<nav>", "<script>", "<!--", "<footer><div>", "<a href='", '<a b="'])(
    "are found after parts without end: %s",
    (start) => {
      expect(headings(`${start}\n<h1>A</h1>`)).toEqual(["2.1 A"]);
    },
  );

  it("keep what templates put into them", () => {
    const html = `<h1 class="{{ 'a' if b > c }}">{{ page.title }}</h1>
{% if x %}<h2>
{{ "T" | upper }}</h2>{% endif %}
<h3><%= t(".title") %> of <%= x %></h3>
<h4><%= only %></h4>`;
    expect(headings(html)).toEqual(["1.1 {{ page.title }}", `2.2 {{ "T" | upper }}`, "4.3 of"]);
  });

  it("are not what only looks like one", () => {
    expect(headings("<hr><header>x</header><h7>x</h7><h12>x</h12>a &lt;h1>x<h1></h1>")).toEqual([]);
  });

  it("begin with the tags above them that open their section", () => {
    const html =
      '<p>text</p>\n<section id="a">\n<a name="b"></a>\n<h2>A</h2>\n<div><p>\n<h2>B</h2>';
    const { headings: found } = htmlParts(splitLines(html));
    expect(found.map(({ startLine, line }) => [startLine, line])).toEqual([
      [2, 4],
      [6, 6],
    ]);
  });
});

describe("labels of HTML", () => {
  it("are ids of elements and names of anchors", () => {
    const html = `<div id=a><p id='b c'><a name="d">x</a>
<input name="no" id="no"><meta name="no"><h2 id="e-f">T</h2><h3><a id="g"></a>U</h3>
<nav id="n"><a id="no">x</a></nav>`;
    expect(labels(html)).toEqual(["1 a", "1 b", "1 d", "2 e-f", "2 g", "3 n"]);
  });

  it("are not what generators number, and not what repeats the heading", () => {
    const html = `<section id="standards">
<span id="s-standards"></span><h2 id="s4-1">4.1. Standards<a class="headerlink" href="#x">¶</a></h2>
<a id="id12"></a><p id="fn:3"><a name="L40"></a><a name="cb1-2"></a><p id="7"><p id="v2">
<h2 id="chapter-a-notes">Appendix A. Notes</h2><h2 id="notes">Appendix A. Notes</h2>`;
    expect(labels(html)).toEqual(["2 s-standards", "3 v2", "4 chapter-a-notes"]);
  });

  it("are blocks and macros of templates", () => {
    const { entries = [] } = htmlParts(
      splitLines("{% block content %}\n{%- macro field(a) %}\n{% if block %}"),
    );
    expect(entries.map(({ line, name, kind }) => [line, name, kind])).toEqual([
      [1, "content", "section"],
      [2, "field", "function"],
    ]);
  });
});

it("preformatted text is cut last", () => {
  const html = "<p>a\n<p>b\n<pre>\n\nx\n\ny\n</pre>\n<p>c\n";
  const { cuts } = parseHtmlOutline(splitLines(html));
  expect(cuts.slice(0, 9)).toEqual(Uint8Array.of(0, 2, 2, 0, 21, 0, 21, 0, 2));
});

it("takes linear time for hostile pages", () => {
  const pieces = [
    "<!--",
    "<h1>",
    "<h1 ",
    "<nav>",
    "<div role=navigation>",
    "<script>",
    "<pre>",
    "<a id='",
    '<a id="x" ',
    "<",
    "&#",
    "{%",
    "{% block ",
    "</nav><nav>",
    "<h1><a class='headerlink ",
  ];
  for (const piece of pieces) {
    const lines = splitLines(piece.repeat(100_000));
    expect(htmlParts(lines).headings.length).toBeLessThanOrEqual(100_000);
  }
});
