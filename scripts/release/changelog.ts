// Sections of CHANGELOG.md, by their headings.

export const UNRELEASED = "Unreleased";

/** Trimmed, without its heading; undefined if there is no such heading. */
export function sectionOf(text: string, heading: string): string | undefined {
  return sections(text).find(({ title }) => title === heading)?.body;
}

export function firstVersion(text: string): string | undefined {
  return sections(text).find(({ title }) => /^\d/.test(title))?.title;
}

interface Section {
  /** Without a date. */
  readonly title: string;
  readonly body: string;
}

function sections(text: string): readonly Section[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const title = /^\[?(?<title>[^\s\]]+)/.exec(heading)?.groups?.["title"] ?? "";
      return { title, body: lines.join("\n").trim() };
    });
}
