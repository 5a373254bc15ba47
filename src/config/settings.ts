// The settings of one run, from the environment and config.json.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import type { LogLevel } from "../base/log.ts";
import { currentEnvironment, valueOf } from "./environment.ts";
import { knowsHyperlinks } from "./knows-hyperlinks.ts";
import { CLIENT_VARIABLES, platformPaths, type Directories, type Environment } from "./paths.ts";
import { resolveSettings, type Resolution } from "./resolve-settings.ts";
import { COLOUR_WISHES, LOG_LEVELS, type SettingName } from "./setting-definitions.ts";
import { NO_FILE, readSettingsFile, settingsPath } from "./settings-file.ts";

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
  /** The file that holds the data key of the credential store, where the user chose one. */
  readonly keyFile: string | undefined;
  /** Whether the audit log holds the text of queries. */
  readonly auditQuery: boolean;
  readonly logLevel: LogLevel;
  readonly debug: boolean;
  readonly noColor: boolean;
  /** The variables of `CLIENT_VARIABLES`. */
  readonly clientVariables: Environment;
  /** Each setting with its origin, for `svc config`; it holds no secret. */
  readonly resolution: Resolution;
}

/** What a start finds: read once, and judged by whoever needs it. */
export interface Configuration {
  readonly env: Environment;
  readonly home: string | undefined;
  /** Undefined where the account has no home and the variables do not say where. */
  readonly directories: Directories | undefined;
  readonly resolution: Resolution;
}

interface Machine {
  /** What `takeEnvironment` gave. */
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
  readonly home?: string | undefined;
}

/** Never throws: help and a terminal are there whatever the settings say. */
export function readConfiguration({
  env,
  platform = process.platform,
  home = homeDirectory(),
}: Machine): Configuration {
  const directories = platformPaths({
    env: {
      ...env,
      SERVICE_HOME: valueOf(env["SERVICE_HOME"]),
      SERVICE_CONFIG_HOME: valueOf(env["SERVICE_CONFIG_HOME"]),
    },
    platform,
    home,
  });
  const resolution = resolveSettings({
    env,
    file:
      directories === undefined
        ? NO_FILE
        : readSettingsFile(settingsPath(directories.configDirectory)),
    home,
    defaults: { home: directories?.dataDirectory, config_home: directories?.configDirectory },
  });
  return { env, home, directories, resolution };
}

interface SettingsOptions {
  /** The level where log_level is not set: servers log their calls, other commands stay quiet. */
  readonly defaultLogLevel?: LogLevel;
  /** Leaves it at `resolution.problems` when a value means nothing, for commands that mend settings. */
  readonly isForgiving?: boolean;
}

/** Throws INVALID_SETTINGS for a value that means nothing, and for a config.json that cannot be used. */
export function createSettings(
  { env, home, directories, resolution }: Configuration,
  { defaultLogLevel = "warn", isForgiving = false }: SettingsOptions = {},
): Settings {
  if (directories === undefined) {
    throw new SvcError("INVALID_SETTINGS", "The home directory of this account is not known.", {
      hint: "Set SERVICE_HOME and SERVICE_CONFIG_HOME to folders for the data and the settings.",
    });
  }
  const problem = resolution.problems[0];
  if (problem !== undefined && !isForgiving) throw problem;
  const { dataDirectory, configDirectory } = directories;
  const isDebug = valueIn(resolution, "debug") === true;
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
    // Blanks may be part of a passphrase.
    passphrase: valueOf(env["SERVICE_PASSPHRASE"]),
    namespace: textIn(resolution, "namespace"),
    embeddings: textIn(resolution, "embeddings"),
    keyFile: textIn(resolution, "data_key_file"),
    auditQuery: valueIn(resolution, "audit_query") === true,
    logLevel: isDebug
      ? "debug"
      : (choiceIn(resolution, "log_level", LOG_LEVELS) ?? defaultLogLevel),
    debug: isDebug,
    noColor: colourIn(resolution, env) === "never",
    clientVariables: Object.fromEntries(CLIENT_VARIABLES.map((name) => [name, env[name]])),
    resolution,
  });
}

export type ColourWish = (typeof COLOUR_WISHES)[number];

/** What the terminal needs before anything can be reported. */
export function terminalSettings({ env, resolution }: Configuration): {
  readonly colour: ColourWish;
  /** Whether links are wanted and would be shown, if output is a terminal. */
  readonly hyperlinks: boolean;
  readonly debug: boolean;
} {
  const links = choiceIn(resolution, "hyperlinks", COLOUR_WISHES) ?? "auto";
  return {
    colour: colourIn(resolution, env),
    hyperlinks: links === "auto" ? knowsHyperlinks(env) : links === "always",
    debug: valueIn(resolution, "debug") === true,
  };
}

function valueIn({ settings }: Resolution, name: SettingName): boolean | string | undefined {
  return settings.find((setting) => setting.name === name)?.value;
}

function textIn(resolution: Resolution, name: SettingName): string | undefined {
  const value = valueIn(resolution, name);
  return typeof value === "string" ? value : undefined;
}

function choiceIn<Choice extends string>(
  resolution: Resolution,
  name: SettingName,
  choices: readonly Choice[],
): Choice | undefined {
  const value = valueIn(resolution, name);
  return choices.find((choice) => choice === value);
}

function colourIn(resolution: Resolution, env: Environment): ColourWish {
  const wish = choiceIn(resolution, "color", COLOUR_WISHES) ?? "auto";
  return wish === "auto" && env["TERM"] === "dumb" ? "never" : wish;
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
  env = currentEnvironment(),
  platform = process.platform,
  userId = process.getuid?.(),
}: Session = {}): Environment {
  // Many editors start servers with little more than HOME and PATH, and the session bus is found
  // through this folder. systemd has it where the XDG specification leaves the place open.
  const runtime = platform === "linux" ? { XDG_RUNTIME_DIR: `/run/user/${userId}` } : {};
  const given = SESSION_VARIABLES.filter((name) => valueOf(env[name]) !== undefined);
  return { ...runtime, ...Object.fromEntries(given.map((name) => [name, env[name]])) };
}

/**
 * What a program that connects to other machines for the user is told besides: agents, proxies and certificates.
 * Not one variable of git's own is among them: those could name programs to run and other repositories.
 */
export function readConnectionEnvironment(): Environment {
  const env = currentEnvironment();
  const given = CONNECTION_VARIABLES.filter((name) => valueOf(env[name]) !== undefined);
  return {
    ...readSessionEnvironment(),
    ...Object.fromEntries(given.map((name) => [name, env[name]])),
  };
}

const CONNECTION_VARIABLES = [
  "SSH_AUTH_SOCK XDG_CONFIG_HOME SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE",
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy",
].flatMap((names) => names.split(" "));

const SESSION_VARIABLES = [
  "DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY",
  "HOME USER LOGNAME PATH TMPDIR LANG LC_ALL",
  "SystemRoot USERNAME USERPROFILE APPDATA LOCALAPPDATA TEMP TMP",
].flatMap((names) => names.split(" "));

function homeDirectory(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    // The account has no entry in the user database and HOME is unset.
    return undefined;
  }
}
