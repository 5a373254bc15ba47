import type { LanguageRules } from "../language.ts";
import { onlyScripts } from "../scripts-in-markup.ts";
import { typescript } from "../typescript/definitions.ts";

export const svelte: LanguageRules = { ...typescript, prepare: onlyScripts };
