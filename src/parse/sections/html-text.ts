const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  shy: "",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  larr: "←",
  rarr: "→",
  times: "×",
  deg: "°",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
};

/** Links from a heading to itself, which generators add. */
const SELF_LINK =
  /<a\b[^<>]*\b(?:headerlink|anchor-link|heading-anchor|permalink)\b[^<>]*>[^<>]{0,9}<\/a>/giu;

/** Returns the text of markup on one line: without tags, with characters for their names. An image is its text. */
export function textOfMarkup(markup: string): string {
  return decodeEntities(
    markup
      .replace(SELF_LINK, "")
      .replace(/<img\b[^<>]*?\balt\s*=\s*"([^"<>]*)"[^<>]*>/giu, " $1 ")
      .replace(/<%[^]*?%>/gu, "")
      .replace(/<(?:br|\/?li|\/?td)\b[^<>]*>/giu, " ")
      .replace(/<[^<>]*>/gu, ""),
  )
    .replace(/\s+/gu, " ")
    .replace(/\s*[¶§]\s*$/u, "")
    .trim();
}

/** Returns the text with the characters that entities stand for. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/giu, (entity, ...groups) => {
    const [decimal, hexadecimal, name]: (string | undefined)[] = groups;
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? entity) : entity;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : entity;
  });
}
