// How results are shown: with or without colours.
import { COLOR_MODES } from "../config/setting-definitions.ts";
import type { StringFlag } from "./flag-definition.ts";
import type { Io } from "./io.ts";

/** As in ripgrep and git, for `svc search ... --color always | less -R`. */
export const COLOR_FLAG = {
  type: "string",
  choices: COLOR_MODES,
  placeholder: "WHEN",
  description: "When to colour the output; overrides the setting `color`.",
} as const satisfies StringFlag;

export function resolveColor(io: Io, mode: (typeof COLOR_MODES)[number] | undefined): boolean {
  return mode === "always" || (mode !== "never" && io.color);
}
