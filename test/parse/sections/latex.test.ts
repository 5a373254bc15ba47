import { describe, expect, it } from "vitest";

import { cheapCuts, sections } from "../../chunk/helpers.ts";

const tex = (text: string): string[] => sections(text, "tex");

describe("headings of LaTeX", () => {
  it("nest by their command below the title", () => {
    const text =
      "\\documentclass{book}\n\\title{The Book}\n\\begin{document}\n\\chapter{A}\n\\section*{B}\n\\subsection[short]{C}\n\\paragraph{D} text\n\\chapter{E}\n";
    expect(tex(text)).toEqual([
      "2-8 The Book",
      "  4-7 A",
      "    5-7 B",
      "      6-7 C",
      "        7-7 D",
      "  8-8 E",
    ]);
  });

  it("lose their commands and keep the text", () => {
    expect(
      tex(
        '\\section{The \\emph{new} \\textbf{\\texttt{load\\_all}}~$x$ \\& \\LaTeX{} of\n  G\\"odel\\footnote{no}\\label{sec:x}}\n',
      ),
    ).toEqual(["1-2 The new load_all x & LaTeX of Gödel", "  2-2 sec:x*"]);
    expect(tex("\\section{\\texorpdfstring{$\\alpha$}{Alpha} 100\\%}\n")).toEqual([
      "1-1 Alpha 100%",
    ]);
  });

  it("keep letters that are written as commands", () => {
    expect(
      tex("\\section{The $\\lambda$-calculus over $\\Z_p$ and \\mathbb{Q}, $\\Sigma_1$ \\Sexpr}\n"),
    ).toEqual(["1-1 The λ-calculus over Z_p and Q, Σ_1"]);
  });

  it("are not found in comments, verbatim text and macros", () => {
    const text = [
      "\\section{A}",
      "% \\section{no}",
      "50\\% \\section{no}",
      "\\begin{lstlisting}[language=TeX]",
      "\\section{no}",
      "\\end{lstlisting}",
      "\\newcommand{\\head}[1]{",
      "  \\section{#1}",
      "}",
      "\\begin{verbatim}",
      "\\section{B}",
    ].join("\n");
    expect(tex(text)).toEqual(["1-10 A", "  7-9 \\head*", "11-11 B"]);
  });
});

describe("labels and macros of LaTeX", () => {
  it("are symbols of the section", () => {
    const text = [
      "\\def\\half#1{#1/2}",
      "\\newenvironment{note}{\\begin{quote}}{\\end{quote}}",
      "\\newtheorem{lemma}{Lemma}",
      "\\section{Pools} \\label{sec:pools}",
      "\\begin{equation}\\label{eq:size} % \\label{no}",
      "\\NewDocumentCommand\\wide{m}{#1}",
    ].join("\n");
    expect(tex(text)).toEqual([
      "1-1 \\half*",
      "2-2 note*",
      "3-3 lemma*",
      "4-6 Pools",
      "  4-4 sec:pools*",
      "  5-5 eq:size*",
      "  6-6 \\wide*",
    ]);
  });
});

describe("verbatim text of LaTeX", () => {
  it("is not cut at its blank lines", () => {
    const text = "a\n\n\\begin{verbatim}\nb\n\nc\n\\end{verbatim}\n\nd";
    expect(cheapCuts(text, "tex")).toEqual([3, 9]);
  });
});
