// The environment. This is the only file that reads process.env.
import { TERMINAL_VARIABLES } from "./supports-hyperlinks.ts";
import { CLIENT_VARIABLES, DIRECTORY_VARIABLES, type Environment } from "./paths.ts";
import { SETTING_NAMES, settingDefinition } from "./setting-definitions.ts";

/**
 * The variables that settings come from, secrets included, which are removed from `from` (process.env):
 * no child process, worker or later code finds them there. A second call finds no secrets.
 */
export function takeEnvironment(
  from: Record<string, string | undefined> = currentEnvironment(),
): Environment {
  // By name: to list them all takes longer, and Windows finds a name in any case.
  const taken = Object.fromEntries(VARIABLES.map((name) => [name, from[name]]));
  for (const name of SECRET_VARIABLES) delete from[name];
  return taken;
}

/** process.env itself: without secrets once `takeEnvironment` was called. */
export function currentEnvironment(): Record<string, string | undefined> {
  // oxlint-disable-next-line no-restricted-properties -- the one place where the environment is read
  return process.env;
}

/**
 * The value, or undefined where it stands for none: blank, or a `${...}` that the program which
 * started us was meant to replace (editors pass such placeholders on when the variable is unset).
 */
export function nonBlankValue(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  return /^\$\{[^}]*\}$/.test(text.trim()) ? undefined : text;
}

const VARIABLES: readonly string[] = [
  ...SETTING_NAMES.flatMap((name) => settingDefinition(name).variables),
  ...DIRECTORY_VARIABLES,
  ...CLIENT_VARIABLES,
  // Turns colour off where it is left to the program.
  "TERM",
  ...TERMINAL_VARIABLES,
];

const SECRET_VARIABLES: readonly string[] = SETTING_NAMES.map(settingDefinition)
  .filter(({ type }) => type === "secret")
  .flatMap(({ variables }) => variables);
