import type { LanguageRules } from "../definition-rules.ts";
import { blankMarkup } from "../scripts-in-markup.ts";
import { typescript } from "../typescript/definitions.ts";

export const svelte: LanguageRules = { ...typescript, prepareText: blankMarkup };
