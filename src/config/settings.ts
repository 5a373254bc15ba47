// The environment as settings. This is the only file that reads process.env.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

import { SvcError } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import type { LogLevel } from "../base/log.ts";
import { expandHome, platformPaths, type Environment } from "./paths.ts";

export interface Settings {
  readonly dataDirectory: string;
  readonly configDirectory: string;
  /** Holds what opens the credential store of this data directory and of no other, apart from it. */
  readonly keyDirectory: string;
  /** The user's home directory, `/` where the account has none: neither is ever indexed. */
  readonly home: string;
  readonly token: string | undefined;
  readonly namespace: string | undefined;
  /** The folder of a model2vec model that takes the place of the program's own table of words. */
  readonly embeddings: string | undefined;
  readonly passphrase: string | undefined;
  readonly logLevel: LogLevel;
  readonly debug: boolean;
  readonly noColor: boolean;
}

interface ReadOptions {
  readonly env?: Environment;
  readonly platform?: NodeJS.Platform;
  readonly home?: string | undefined;
  /** The level where SERVICE_LOG_LEVEL is unset: servers log their calls, other commands stay quiet. */
  readonly defaultLogLevel?: LogLevel;
}

/** Throws USAGE for a value that means nothing. */
export function readEnvironment({
  env = processEnvironment(),
  platform = process.platform,
  home = homeDirectory(),
  defaultLogLevel = "warn",
}: ReadOptions = {}): Settings {
  const folders = {
    ...env,
    SERVICE_HOME: valueOf(env["SERVICE_HOME"]),
    SERVICE_CONFIG_HOME: valueOf(env["SERVICE_CONFIG_HOME"]),
  };
  const { dataDirectory, configDirectory } = platformPaths({ env: folders, platform, home });
  const debug = isDebug(env);
  return Object.freeze({
    dataDirectory,
    configDirectory,
    // Named after the data directory, whichever setting led to it: two stores that shared a key
    // directory would each take the other's key and anchor for their own.
    get keyDirectory() {
      return join(configDirectory, `keys-${fingerprint(dataDirectory)}`);
    },
    home: home ?? "/",
    token: valueOf(env["SERVICE_TOKEN"])?.trim(),
    namespace: valueOf(env["SERVICE_NAMESPACE"])?.trim(),
    embeddings: folderOf(env["SERVICE_EMBEDDINGS"], home),
    // Blanks may be part of a passphrase.
    passphrase: valueOf(env["SERVICE_PASSPHRASE"]),
    logLevel: debug ? "debug" : readLogLevel(env, defaultLogLevel),
    debug,
    noColor: colourWish(env) === "never",
  });
}

/** An absolute path; `~` as editors pass it on is the home directory. */
function folderOf(value: string | undefined, home: string | undefined): string | undefined {
  const path = valueOf(value)?.trim();
  return path === undefined ? undefined : resolve(expandHome(path, home));
}

interface Session {
  readonly env?: Environment;
  readonly platform?: NodeJS.Platform;
  readonly userId?: number | undefined;
}

/**
 * What a child process needs to reach the user's session (its bus, its display, its home), and
 * nothing else: no setting of svc, so no token and no passphrase, and no option of Node.
 */
export function readSessionEnvironment({
  env = processEnvironment(),
  platform = process.platform,
  userId = process.getuid?.(),
}: Session = {}): Environment {
  // Many editors start servers with little more than HOME and PATH, and the session bus is found
  // through this folder. systemd has it where the XDG specification leaves the place open.
  const runtime = platform === "linux" ? { XDG_RUNTIME_DIR: `/run/user/${userId}` } : {};
  const given = SESSION_VARIABLES.filter((name) => valueOf(env[name]) !== undefined);
  return { ...runtime, ...Object.fromEntries(given.map((name) => [name, env[name]])) };
}

const SESSION_VARIABLES = [
  "DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY",
  "HOME USER LOGNAME PATH TMPDIR LANG LC_ALL",
  "SystemRoot USERNAME USERPROFILE APPDATA LOCALAPPDATA TEMP TMP",
].flatMap((names) => names.split(" "));

export type ColourWish = "auto" | "always" | "never";

/** What the terminal needs before anything can be reported; never throws. */
export function readTerminalSettings(env: Environment = processEnvironment()): {
  readonly colour: ColourWish;
  readonly debug: boolean;
} {
  return { colour: colourWish(env), debug: isDebug(env) };
}

const LOG_LEVELS: readonly LogLevel[] = ["info", "debug", "warn"];

function readLogLevel(env: Environment, fallback: LogLevel): LogLevel {
  const given = valueOf(env["SERVICE_LOG_LEVEL"])?.trim();
  if (given === undefined) return fallback;
  const level = LOG_LEVELS.find((name) => name === given.toLowerCase());
  if (level !== undefined) return level;
  throw new SvcError("USAGE", `SERVICE_LOG_LEVEL is "${given}".`, {
    hint: `Set it to ${LOG_LEVELS.join(", ")}, or leave it unset.`,
  });
}

/**
 * The value, or undefined where it stands for none: blank, or a `${...}` that the program which
 * started us was meant to replace (editors pass such placeholders on when the variable is unset).
 */
function valueOf(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  return /^\$\{[^}]*\}$/.test(text.trim()) ? undefined : text;
}

function isDebug(env: Environment): boolean {
  return /^(true|1)$/i.test(env["SERVICE_DEBUG"]?.trim() ?? "");
}

/** FORCE_COLOR (force-color.org) is asked for by hand and outranks NO_COLOR (no-color.org). */
function colourWish(env: Environment): ColourWish {
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return /^(0|false)$/i.test(forced) ? "never" : "always";
  const isRefused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return isRefused ? "never" : "auto";
}

function processEnvironment(): Environment {
  // oxlint-disable-next-line no-restricted-properties -- the one place where the environment is read
  return process.env;
}

function homeDirectory(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    // The account has no entry in the user database and HOME is unset.
    return undefined;
  }
}
