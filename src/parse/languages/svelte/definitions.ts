import { readComponentFile, storeName } from "../../markup/component-file.ts";
import type { LanguageRules } from "../definition-rules.ts";
import { blankMarkup } from "../scripts-in-markup.ts";
import { typescript } from "../typescript/definitions.ts";

/** A name with a dollar sign that is no member, and not in a quoted path: `"$lib/api"`. */
const STORE = /(?<![\p{L}\p{N}_$.'"`/@])\$[\p{L}_][\p{L}\p{N}_]*/gu;

/** Svelte and Astro. `$store` of a script is `store` there, and in Astro there are no such names. */
export const svelte: LanguageRules = {
  ...typescript,
  prepareText: (text) =>
    blankMarkup(text).replaceAll(STORE, (name) => {
      const store = storeName(name);
      return store === undefined ? name : ` ${store}`;
    }),
  readComponent: (text, prepared, path) =>
    readComponentFile(text, prepared, {
      path,
      language: path.endsWith(".astro") ? "astro" : "svelte",
    }),
};
