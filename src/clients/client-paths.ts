import { posix, win32 } from "node:path";

import type { ClientDefinition, Platform, PathTemplate } from "./definitions.ts";

/** The parts of a user's machine that determine where clients keep their files. */
export interface ClientMachine {
  readonly platform: Platform;
  readonly home: string;
  /** The environment variables of `PLACE_NAMES`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns svc's name of a Node platform; every other one counts as Linux. */
export function platformOf(platform: NodeJS.Platform): Platform {
  if (platform === "win32") return "windows";
  return platform === "darwin" ? "mac" : "linux";
}

/** Returns the absolute paths of the client's user-wide configuration files. The first is the one to create. */
export function userConfigPaths(client: ClientDefinition, machine: ClientMachine): string[] {
  const { moved, ...places } = client.user;
  const paths = pathsOf(machine);
  const folder = moved === undefined ? undefined : machine.env[moved.variable];
  if (moved !== undefined && folder !== undefined && paths.isAbsolute(folder)) {
    return [paths.join(folder, moved.file)];
  }
  return places[machine.platform].map((template) => expandTemplate(template, machine));
}

/** Returns absolute paths of folders and files that exist when the client is installed. */
export function markerPaths(client: ClientDefinition, machine: ClientMachine): string[] {
  const paths = pathsOf(machine);
  const folders = (client.markers.folders ?? []).map((template) =>
    expandTemplate(template, machine),
  );
  const files = userConfigPaths(client, machine);
  const own = files.map((file) => paths.dirname(file)).filter((path) => path !== machine.home);
  return [...new Set([...folders, ...files, ...own])];
}

/** Returns the paths where the client's programs would be, for each folder of PATH. */
export function programPaths(client: ClientDefinition, { platform, env }: ClientMachine): string[] {
  const isWindows = platform === "windows";
  const paths = isWindows ? win32 : posix;
  const endings = isWindows ? [".exe", ".cmd", ".bat"] : [""];
  const folders = (env["PATH"] ?? "").split(paths.delimiter).filter((path) => path !== "");
  return folders.flatMap((folder) =>
    client.markers.programs.flatMap((name) =>
      endings.map((ending) => paths.join(folder, name + ending)),
    ),
  );
}

/** Returns the absolute path of a template. */
export function expandTemplate(template: PathTemplate, machine: ClientMachine): string {
  const paths = pathsOf(machine);
  const [base = "", ...rest] = template.split("/");
  return paths.join(baseOf(base, machine), ...rest);
}

function baseOf(base: string, { platform, env, home }: ClientMachine): string {
  const paths = platform === "windows" ? win32 : posix;
  const given = (name: string, fallback: string): string => {
    const value = env[name];
    // The XDG specification requires relative values to be ignored; svc does the same on Windows.
    return value !== undefined && paths.isAbsolute(value) ? value : paths.join(home, fallback);
  };
  if (base === "$CONFIG") return given("XDG_CONFIG_HOME", ".config");
  if (base === "%APPDATA%") return given("APPDATA", "AppData/Roaming");
  return home;
}

function pathsOf({ platform }: ClientMachine): typeof posix {
  return platform === "windows" ? win32 : posix;
}
