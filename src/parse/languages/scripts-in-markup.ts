// Scripts in component files (Vue, Svelte, Astro). Only the scripts are parsed; the markup is replaced by
// blanks.

/**
 * Returns the text with everything blanked out except the content of `<script>` and of front matter between
 * `---` lines.
 */
export function blankMarkup(text: string): string {
  let scripts = "";
  let at = 0;
  for (const { start, end } of scriptsOf(text)) {
    scripts += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return scripts + blank(text.slice(at));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function* scriptsOf(text: string): Generator<Span> {
  const head = /^---[ \t]*\r?\n/.exec(text);
  const headEnd = head === null ? -1 : text.indexOf("\n---", head[0].length - 1);
  if (head !== null && headEnd !== -1) yield { start: head[0].length, end: headEnd };
  const opener = /<script\b[^>]*>/gi;
  opener.lastIndex = Math.max(0, headEnd);
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const start = opener.lastIndex;
    const close = text.indexOf("</script", start);
    const end = close === -1 ? text.length : close;
    // Scripts of other types contain data or templates.
    if (
      !/\btype\s*=\s*["'](?!module|text\/javascript|application\/javascript|text\/typescript)/i.test(
        match[0],
      )
    ) {
      yield { start, end };
    }
    opener.lastIndex = end;
  }
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, " ");
}
