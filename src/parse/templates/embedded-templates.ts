// Templates inside of code: the component of Angular with its `template`, and `~H` of Phoenix.

import { ANGULAR, HEEX, type TemplateDialect } from "./template-dialects.ts";

/** A template in the code of a file. Its names are those of the code around it. */
export interface EmbeddedTemplate {
  /** In the text of the file, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly dialect: TemplateDialect;
}

/** Returns the templates in the code of a file. */
export function embeddedTemplates(
  text: string,
  language: string | undefined,
): readonly EmbeddedTemplate[] {
  if (language === "typescript" && text.includes("@Component")) {
    return between(text, { opener: /\btemplate:\s*`/g, close: "`", dialect: ANGULAR });
  }
  if (language === "elixir" && text.includes("~H")) {
    return between(text, { opener: /~H"""/g, close: '"""', dialect: HEEX });
  }
  return [];
}

function between(
  text: string,
  { opener, close, dialect }: { opener: RegExp; close: string; dialect: TemplateDialect },
): readonly EmbeddedTemplate[] {
  const found: EmbeddedTemplate[] = [];
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const start = opener.lastIndex;
    const end = text.indexOf(close, start);
    if (end === -1) break;
    found.push({ start, end, dialect });
    opener.lastIndex = end + close.length;
  }
  return found;
}
