import { describe, expect, it } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import { DocumentWriter } from "../../../src/extract/document-writer.ts";
import { writeHtml } from "../../../src/extract/html/write-html.ts";

function read(html: string): DocumentText & { readonly isWhole: boolean } {
  const writer = new DocumentWriter("section");
  writer.block("-");
  const isWhole = writeHtml(html, writer);
  const document = writer.finish();
  return { ...document, text: document.text.replace(/^-\n+/u, ""), isWhole };
}

describe("writeHtml", () => {
  it("reads headings and paragraphs, and spaces as a browser does", () => {
    const { text, headings } = read(
      "<!DOCTYPE html><head><title>no</title></head><h1>First <em>steps</em></h1><p>One\n  two<br>three &amp; four&nbsp;five<p>Six<div>Seven</div>eight<h3>Deep</h3>",
    );
    expect(text).toBe(
      "First steps\n\nOne two\nthree & four\u{a0}five\n\nSix\n\nSeven\n\neight\n\nDeep\n",
    );
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, "First steps"],
      [3, "Deep"],
    ]);
  });

  it("takes the heading of a note for text, as what follows the note belongs to the section around it", () => {
    const { text, headings } = read(
      '<h1>A</h1><div class="note"><div><h3 class="title">Note</h3></div><p>One</p></div><p>Two</p><aside epub:type="sidebar"><h2>B</h2></aside>',
    );
    expect(text).toBe("A\n\nNote\n\nOne\n\nTwo\n\nB\n");
    expect(headings.map(({ title }) => title)).toEqual(["A", "B"]);
  });

  it("leaves out what is not seen", () => {
    expect(
      read(
        '<script>no</script><style>no</style><nav>no</nav><p hidden>no</p><div style="display: none"><p>no</p></div><template>no</template><svg><text>no</text></svg>yes',
      ).text,
    ).toBe("yes\n");
    expect(read("<p>a</p><script src='x'/><title/><p>b</p>").text).toBe("a\n\nb\n");
  });

  it("writes lists, tables, descriptions of images, and cells of a layout as text", () => {
    const { text } = read(
      '<ul><li>one<ol start="4"><li>inner<li>next</ol></li><li><p>two</p><p>more</p></li></ul>' +
        "<table><tr><th>a<th>b</tr><tr><td>c<br>d</td><td><table><tr><td>x<td>y</table></td></tr></table>" +
        `<table><tr><td>menu<td><p>${"long ".repeat(300)}</p></table><img alt="A  map">`,
    );
    expect(text).toBe(
      `- one\n  4. inner\n  5. next\n- two\n\nmore\n\na | b\nc d | x | y\n\nmenu\n\n${"long ".repeat(300).trim()}\n\n[Image: A map]\n`,
    );
  });

  it("keeps code and its language", () => {
    const { text, code } = read(
      'Use <code>x</code>:<pre>\n<code class="language-py">if a:\n    b &lt; c\n</code></pre><div class="highlight-typescript notranslate"><div class="highlight"><pre><span class="linenos">1</span>let a;</pre></div></div><pre>plain</pre>',
    );
    expect(text).toBe("Use x:\n\nif a:\n    b < c\n\nlet a;\n\nplain\n");
    expect(code.map(({ startLine, endLine, language }) => [startLine, endLine, language])).toEqual([
      [5, 6, "python"],
      [8, 8, "typescript"],
      [10, 10, ""],
    ]);
  });

  it("stops at nesting that was made to exhaust readers", () => {
    const { text, isWhole } = read(`<p>Good.</p>${"<b>".repeat(500_000)}${"</i>".repeat(500_000)}`);
    expect(isWhole).toBe(false);
    expect(text).toBe("Good.\n");
    expect(read("<p>Good.</p>".repeat(2)).isWhole).toBe(true);
    expect(read(`Good.${"<script ".repeat(100_000)}`).text).toBe("Good.\n");
  });
});
