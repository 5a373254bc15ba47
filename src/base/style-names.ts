// The names of style sheets, as symbols and uses have them: with the sign in front that shows what they are. No name of a program
// begins like that of a class, so a class and a function of one name are never mistaken for each other.

import { BY_NAME } from "./receiver-marks.ts";

/** The family of the languages that define the names of style sheets. */
export const STYLES = "css";

/**
 * The beginning of the receivers of names that only a style sheet can define: `%css`. Then may follow `.local`, the name of the
 * import that leads to the style sheet, "=" if only the file itself can be meant, or "*" if the style sheet of any component can.
 */
export const BY_STYLE_NAME = BY_NAME + STYLES;
/** At the end of a receiver: only the file itself can define the name. */
export const OF_OWN_STYLES = "=";
/** At the end of a receiver: the style sheet of any component may define it, as for a selector that searches a page. */
export const OF_ANY_STYLES = "*";

/** Signs in front of names: of classes, elements with an id, custom properties, variables and placeholders. */
export const STYLE_SIGNS: readonly string[] = [".", "#", "--", "$", "%", "@"];

const STYLE_NAME = /^(?:[.#$%@]-?[\p{L}_]|--[\p{L}\p{N}_])[\p{L}\p{N}_-]*$/u;

/** Returns whether a name is written like one of a style sheet: `.btn`, `#app`, `--color`, `$width`, `%card`, `@width`. */
export function isStyleName(name: string): boolean {
  return STYLE_NAME.test(name);
}

/** Returns whether only a style sheet can define what a use means. */
export function isStyleUse({ receiver }: { readonly receiver: string }): boolean {
  return receiver.startsWith(BY_STYLE_NAME);
}

/** Languages whose files may have style sheets inside. */
const WITH_STYLES = new Set(["vue", "svelte", "html", "php"]);

/** Returns whether files of a language may define names of style sheets. */
export function mayHaveStyles(language: string): boolean {
  return language === STYLES || WITH_STYLES.has(language);
}
