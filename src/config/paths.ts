import { isAbsolute, posix, resolve, win32 } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

interface Machine {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** Absolute path; undefined if the account has no home, as in some containers. */
  readonly home: string | undefined;
}

/** Absolute paths of svc's directories. */
export interface Directories {
  readonly dataDirectory: string;
  readonly configDirectory: string;
}

/**
 * Returns the absolute paths of svc's data and settings. SERVICE_HOME and SERVICE_CONFIG_HOME come first. The
 * defaults are the XDG base directories on Unix, Application Support and Preferences on macOS (two places, so
 * that a key is never next to the store that it opens), and local and roaming AppData on Windows. Undefined if
 * the account has no home and the variables are not set.
 */
export function resolveDirectories({ env, platform, home }: Machine): Directories | undefined {
  const own = (name: string): string | undefined => {
    const path = env[name];
    return path === undefined || path === "" ? undefined : resolve(expandHome(path, home));
  };
  const dataDirectory = own("SERVICE_HOME") ?? userDirectory("data", { env, platform, home });
  const configDirectory =
    own("SERVICE_CONFIG_HOME") ?? userDirectory("config", { env, platform, home });
  if (dataDirectory === undefined || configDirectory === undefined) return undefined;
  return { dataDirectory, configDirectory };
}

/** The platform's variables that the default directories depend on. */
export const DIRECTORY_VARIABLES = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA"];

/** Variables with the locations of clients' files and of programs; none is secret. */
export const CLIENT_VARIABLES = [
  "XDG_CONFIG_HOME",
  "APPDATA",
  "PATH",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "GEMINI_CLI_HOME",
];

const DEFAULT_DIRECTORIES = {
  data: {
    windows: ["LOCALAPPDATA", "AppData/Local"],
    mac: "Library/Application Support",
    unix: ["XDG_DATA_HOME", ".local/share"],
  },
  config: {
    windows: ["APPDATA", "AppData/Roaming"],
    mac: "Library/Preferences",
    unix: ["XDG_CONFIG_HOME", ".config"],
  },
} as const;

function userDirectory(
  kind: "data" | "config",
  { env, platform, home }: Machine,
): string | undefined {
  const { windows, mac, unix } = DEFAULT_DIRECTORIES[kind];
  const paths = platform === "win32" ? win32 : posix;
  const [variable, folder] = platform === "win32" ? windows : unix;
  // The XDG specification requires that relative values are ignored; svc does the same on Windows.
  const given = platform === "darwin" ? undefined : env[variable];
  if (given !== undefined && paths.isAbsolute(given)) return paths.join(given, "svc");
  return home === undefined
    ? undefined
    : paths.join(home, platform === "darwin" ? mac : folder, "svc");
}

/** Expands a leading `~`. Editors pass it on from their configuration files without a shell that expands it. */
export function expandHome(path: string, home: string | undefined): string {
  if (isAbsolute(path) || home === undefined) return path;
  if (path === "~") return home;
  return /^~[/\\]/.test(path) ? resolve(home, path.slice(2)) : path;
}
