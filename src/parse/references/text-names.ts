// Names in parts of a file that the grammar leaves as text.
import type { Use } from "./references.ts";

/**
 * The beginning of the receivers of names in the body of a macro. Alone, the name is a bare one, and who uses the macro
 * uses it. `~0.state`: the name is a member of what the member `state` of the macro's first argument is.
 */
export const IN_MACRO = "~";
/** Longer paths to a member are unknown. */
export const MAX_PATH = 60;

/** A name in such a part. */
export interface TextName extends Pick<Use, "name" | "role" | "receiver" | "arguments"> {
  /** In the file, in UTF-16 code units. */
  readonly offset: number;
}

/** The parameter of a macro and the members from it, as a receiver or an argument in its body names it. */
export interface ParameterPath {
  readonly parameter: number;
  /** `.state.window`; "" for the parameter itself. */
  readonly path: string;
}

/** Returns the path in a receiver or an argument of a macro's body; undefined for others. */
export function parameterPath(text: string): ParameterPath | undefined {
  const [, parameter, path = ""] = /^~(\d+)((?:\.\w+)*)$/.exec(text) ?? [];
  return parameter === undefined ? undefined : { parameter: Number(parameter), path };
}
