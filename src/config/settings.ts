// The settings of one run, from the environment and config.json.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { shortHash } from "../base/short-hash.ts";
import type { LogLevel } from "../base/log.ts";
import { currentEnvironment, nonBlankValue } from "./environment.ts";
import { packageFoldersIn, type PackageFolders } from "./package-folders.ts";
import { editorIn, pagerIn } from "./user-programs.ts";
import { supportsHyperlinks } from "./supports-hyperlinks.ts";
import {
  CLIENT_VARIABLES,
  resolveDirectories,
  type Directories,
  type Environment,
} from "./paths.ts";
import { resolveSettings, withFlags, type ResolvedSettings } from "./resolve-settings.ts";
import { COLOR_MODES, LOG_LEVELS, type SettingName } from "./setting-definitions.ts";
import { sizeBytes, type SettingValue } from "./setting-values.ts";
import { EMPTY_SETTINGS_FILE, readSettingsFile, settingsPath } from "./settings-file.ts";

/** The settings of one run. */
export interface Settings {
  readonly dataDirectory: string;
  readonly configDirectory: string;
  /**
   * Contains the key that opens the credential store of this data directory, and of no other. It is separate
   * from the data directory.
   */
  readonly keyDirectory: string;
  /** The user's home directory, or `/` if the account has none. Neither is ever indexed. */
  readonly home: string;
  readonly token: string | undefined;
  readonly namespace: string | undefined;
  /** The folder of a model2vec model to use instead of the built-in embedding table. */
  readonly embeddings: string | undefined;
  /** Path of the public key for `svc upgrade`. */
  readonly releaseKey: string | undefined;
  /** The database of a shared backend; undefined if everything is in files of this machine. */
  readonly backend: string | undefined;
  /** Contains this machine's copies of the indexes of a shared backend. */
  readonly cacheDirectory: string;
  /** Bytes of the copies; undefined for no limit. */
  readonly cacheLimitBytes: number | undefined;
  /** An index of a shared backend with more chunks in a shard is divided. */
  readonly shardChunks: number | undefined;
  /** The address under which other nodes of a shared backend reach this one. */
  readonly nodeAddress: string | undefined;
  /** The server that answers the calls of `svc mcp`; undefined for this machine. */
  readonly remote: string | undefined;
  /** The secret of webhooks; undefined if none are accepted. */
  readonly webhookSecret: string | undefined;
  readonly passphrase: string | undefined;
  /** The file with the data key of the credential store, if the user chose one. */
  readonly keyFile: string | undefined;
  /** Whether the audit log includes the text of queries. */
  readonly auditQuery: boolean;
  /** Maximum time a call over HTTP waits in the queue. */
  readonly queueTimeoutSeconds: number;
  readonly logLevel: LogLevel;
  readonly debug: boolean;
  readonly noColor: boolean;
  /** Values of the variables in `CLIENT_VARIABLES`. */
  readonly clientVariables: Environment;
  /** Where the package managers of the user keep packages. */
  readonly packageFolders: PackageFolders;
  /** Each setting with its origin, for `svc config`; contains no secret. */
  readonly resolution: ResolvedSettings;
}

/** The environment and settings file at the start of the program: read once, validated by createSettings. */
export interface Configuration {
  readonly env: Environment;
  readonly home: string | undefined;
  /** Undefined if the account has no home and the variables are not set. */
  readonly directories: Directories | undefined;
  readonly resolution: ResolvedSettings;
}

interface Machine {
  /** The result of `takeEnvironment`. */
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
  readonly home?: string | undefined;
}

/** Reads the configuration. Never throws, so that help and terminal output work with any settings. */
export function readConfiguration({
  env,
  platform = process.platform,
  home = homeDirectory(),
}: Machine): Configuration {
  const directories = resolveDirectories({
    env: {
      ...env,
      SERVICE_HOME: nonBlankValue(env["SERVICE_HOME"]),
      SERVICE_CONFIG_HOME: nonBlankValue(env["SERVICE_CONFIG_HOME"]),
    },
    platform,
    home,
  });
  const resolution = resolveSettings({
    env,
    file:
      directories === undefined
        ? EMPTY_SETTINGS_FILE
        : readSettingsFile(settingsPath(directories.configDirectory)),
    home,
    defaults: { home: directories?.dataDirectory, config_home: directories?.configDirectory },
  });
  return { env, home, directories, resolution };
}

interface SettingsOptions {
  /** Log level if log_level is not set: servers log their calls, other commands only warnings. */
  readonly defaultLogLevel?: LogLevel;
  /** Ignores the problems in `resolution.problems`, for commands that fix settings. */
  readonly isLenient?: boolean;
  /** Values of flags that set a setting, by the name of the flag. */
  readonly flags?: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the settings of this run. Throws INVALID_SETTINGS for an invalid value and for a config.json that
 * cannot be used, USAGE for an invalid value of a flag.
 */
export function createSettings(
  { env, home, directories, resolution: resolved }: Configuration,
  { defaultLogLevel = "warn", isLenient = false, flags = {} }: SettingsOptions = {},
): Settings {
  const resolution = { ...resolved, settings: withFlags(resolved.settings, flags) };
  if (directories === undefined) {
    throw new SvcError("INVALID_SETTINGS", "The home directory of this account is unknown.", {
      hint: "Set SERVICE_HOME and SERVICE_CONFIG_HOME to folders for the data and the settings.",
    });
  }
  const problem = resolution.problems[0];
  if (problem !== undefined && !isLenient) throw problem;
  const { dataDirectory, configDirectory } = directories;
  const isDebug = valueIn(resolution, "debug") === true;
  return Object.freeze({
    dataDirectory,
    configDirectory,
    // Derived from the data directory only. If two stores shared a key directory, each would take the other's
    // key and anchor for its own.
    get keyDirectory() {
      return join(configDirectory, `keys-${shortHash(dataDirectory)}`);
    },
    home: home ?? "/",
    ...secretsIn(env),
    namespace: textIn(resolution, "namespace"),
    embeddings: textIn(resolution, "embeddings"),
    releaseKey: textIn(resolution, "release_key"),
    backend: textIn(resolution, "backend"),
    cacheDirectory: textIn(resolution, "cache") ?? join(dataDirectory, "cache"),
    cacheLimitBytes: sizeBytes(textIn(resolution, "cache_limit") ?? ""),
    shardChunks: numberIn(resolution, "shard_chunks"),
    nodeAddress: textIn(resolution, "node_url"),
    remote: textIn(resolution, "remote"),
    keyFile: textIn(resolution, "data_key_file"),
    auditQuery: valueIn(resolution, "audit_query") === true,
    queueTimeoutSeconds: numberIn(resolution, "queue_timeout_seconds") ?? 0,
    logLevel: isDebug
      ? "debug"
      : (choiceIn(resolution, "log_level", LOG_LEVELS) ?? defaultLogLevel),
    debug: isDebug,
    noColor: colorModeIn(resolution, env) === "never",
    packageFolders: packageFoldersIn(env, home ?? "/"),
    clientVariables: Object.fromEntries(CLIENT_VARIABLES.map((name) => [name, env[name]])),
    resolution,
  });
}

export type ColorMode = (typeof COLOR_MODES)[number];

/** The settings that terminal output needs, even for error messages. */
export function terminalSettings({ env, resolution }: Configuration): {
  readonly color: ColorMode;
  /** Whether to print links if output is a terminal. */
  readonly hyperlinks: boolean;
  readonly debug: boolean;
  /** Command lines of the user's pager and editor; undefined if there is none. */
  readonly pager: string | undefined;
  readonly editor: string | undefined;
} {
  const links = choiceIn(resolution, "hyperlinks", COLOR_MODES) ?? "auto";
  return {
    color: colorModeIn(resolution, env),
    hyperlinks: links === "auto" ? supportsHyperlinks(env) : links === "always",
    debug: valueIn(resolution, "debug") === true,
    pager: pagerIn(env, textIn(resolution, "pager")),
    editor: editorIn(env),
  };
}

function valueIn({ settings }: ResolvedSettings, name: SettingName): SettingValue | undefined {
  return settings.find((setting) => setting.name === name)?.value;
}

function secretsIn(env: Environment): Pick<Settings, "token" | "webhookSecret" | "passphrase"> {
  return {
    token: nonBlankValue(env["SERVICE_TOKEN"])?.trim(),
    webhookSecret: nonBlankValue(env["SERVICE_WEBHOOK_SECRET"])?.trim(),
    // A passphrase may contain leading and trailing blanks.
    passphrase: nonBlankValue(env["SERVICE_PASSPHRASE"]),
  };
}

function textIn(resolution: ResolvedSettings, name: SettingName): string | undefined {
  const value = valueIn(resolution, name);
  return typeof value === "string" ? value : undefined;
}

function numberIn(resolution: ResolvedSettings, name: SettingName): number | undefined {
  const value = valueIn(resolution, name);
  return typeof value === "number" ? value : undefined;
}

function choiceIn<Choice extends string>(
  resolution: ResolvedSettings,
  name: SettingName,
  choices: readonly Choice[],
): Choice | undefined {
  const value = valueIn(resolution, name);
  return choices.find((choice) => choice === value);
}

function colorModeIn(resolution: ResolvedSettings, env: Environment): ColorMode {
  const mode = choiceIn(resolution, "color", COLOR_MODES) ?? "auto";
  return mode === "auto" && env["TERM"] === "dumb" ? "never" : mode;
}

interface Session {
  readonly env?: Environment;
  readonly platform?: NodeJS.Platform;
  readonly userId?: number | undefined;
}

/**
 * Returns the variables that a child process needs to reach the user's session (bus, display, home). They
 * include no setting of svc, hence no token or passphrase, and no option of Node.
 */
export function readSessionEnvironment({
  env = currentEnvironment(),
  platform = process.platform,
  userId = process.getuid?.(),
}: Session = {}): Environment {
  // Many editors start servers with little more than HOME and PATH. The session bus is found through this
  // folder. The XDG specification leaves its place open; this is where systemd has it.
  const runtime = platform === "linux" ? { XDG_RUNTIME_DIR: `/run/user/${userId}` } : {};
  const given = SESSION_VARIABLES.filter((name) => nonBlankValue(env[name]) !== undefined);
  return { ...runtime, ...Object.fromEntries(given.map((name) => [name, env[name]])) };
}

/**
 * Returns the variables for another process of svc: all but settings of svc, of which some are secret, and the options of
 * Node. The process gets what it needs of the settings in a message.
 */
export function readProgramEnvironment(env: Environment = currentEnvironment()): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:SERVICE_|NODE_OPTIONS$)/i.test(name)),
  );
}

/**
 * Adds the variables that a program needs to connect to other machines for the user: agents, proxies and
 * certificates. No variable of git is among them, because those could name programs to run and other
 * repositories.
 */
export function readConnectionEnvironment(): Environment {
  const env = currentEnvironment();
  const given = CONNECTION_VARIABLES.filter((name) => nonBlankValue(env[name]) !== undefined);
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
