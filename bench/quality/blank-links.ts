// Blanks the texts of links in Markdown, so that a link text used as a query does not find itself.

const LINK = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)(?:\s+"[^"]*")?\)(\{[^}]*\})?/g;

/** Replaces each link with one of these texts, whatever their case and punctuation, by `[link]`. */
export function blankLinks(markdown: string, texts: readonly string[]): string {
  const blanked = new Set(texts.map(wordsOf));
  return markdown.replaceAll(LINK, (link, text: string) =>
    blanked.has(wordsOf(text.replaceAll(/[`*_]/g, ""))) ? "[link]" : link,
  );
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
}
