// The template of a Vue file.
import type { SourcePart } from "./appended-text.ts";
import { endOfComment, endOfRawElement, readTag } from "./markup-tags.ts";

/** Returns the part of a Vue file in its template; undefined if it has none, or one in another language. */
export function vueTemplate(text: string): SourcePart | undefined {
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const comment = endOfComment(text, at);
    if (comment > at) {
      at = comment;
      continue;
    }
    const tag = readTag(text, at, "vue");
    if (tag === "open") return undefined;
    if (tag === undefined) {
      at += 1;
    } else if (tag.name.text !== "template") {
      at = endOfRawElement(text, tag);
    } else {
      const isOther = tag.attributes.some(
        ({ name, value }) => name === "lang" && value?.text !== "html",
      );
      const end = text.lastIndexOf("</template");
      return isOther || end < tag.end ? undefined : { text: text.slice(tag.end, end), at: tag.end };
    }
    if (at >= text.length) return undefined;
  }
  return undefined;
}
