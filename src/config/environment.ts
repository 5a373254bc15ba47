// Reads the environment. No other file reads process.env.
import { TERMINAL_VARIABLES } from "./supports-hyperlinks.ts";
import { CLIENT_VARIABLES, DIRECTORY_VARIABLES, type Environment } from "./paths.ts";
import { PACKAGE_VARIABLES } from "./package-folders.ts";
import { PROGRAM_VARIABLES } from "./user-programs.ts";
import { SETTING_NAMES, settingDefinition } from "./setting-definitions.ts";

/**
 * Returns the variables that settings come from, including secrets, and removes the secrets from `from`
 * (process.env), so that no child process, worker or later code finds them there. A second call returns no
 * secrets.
 */
export function takeEnvironment(
  from: Record<string, string | undefined> = currentEnvironment(),
): Environment {
  // Read by name: listing all variables takes longer, and Windows ignores the case of a name.
  const taken = Object.fromEntries(VARIABLES.map((name) => [name, from[name]]));
  for (const name of SECRET_VARIABLES) delete from[name];
  return taken;
}

/** Returns process.env itself; it has no secrets after `takeEnvironment`. */
export function currentEnvironment(): Record<string, string | undefined> {
  // oxlint-disable-next-line no-restricted-properties -- the one place where the environment is read
  return process.env;
}

/**
 * Returns the value, or undefined if it is blank or a `${...}` placeholder. Editors pass a placeholder on
 * unchanged when its variable is unset.
 */
export function nonBlankValue(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  return /^\$\{[^}]*\}$/.test(text.trim()) ? undefined : text;
}

const VARIABLES: readonly string[] = [
  ...SETTING_NAMES.flatMap((name) => settingDefinition(name).variables),
  ...DIRECTORY_VARIABLES,
  ...CLIENT_VARIABLES,
  // TERM=dumb turns colour off in mode auto.
  "TERM",
  ...TERMINAL_VARIABLES,
  ...PROGRAM_VARIABLES,
  ...PACKAGE_VARIABLES,
];

const SECRET_VARIABLES: readonly string[] = SETTING_NAMES.map(settingDefinition)
  .filter(({ type }) => type === "secret")
  .flatMap(({ variables }) => variables);
