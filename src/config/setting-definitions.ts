// The one table of settings, used by the program, `svc config`, config.json and docs/settings.md. A setting
// comes from a flag, else the environment, else config.json, else its default.

/** The definition of a setting. */
export interface SettingDefinition {
  /** Environment variables that set it, in order of precedence. */
  readonly variables: readonly string[];
  /** The command-line flag that sets it, without dashes. */
  readonly flag?: string;
  readonly type:
    | "choice"
    | "command"
    | "database"
    | "integer"
    | "namespace"
    | "path"
    | "secret"
    | "server"
    | "node"
    | "size"
    | "switch";
  /** The valid values of a choice. */
  readonly choices?: readonly string[];
  /** The minimum and maximum of an integer. */
  readonly min?: number;
  readonly max?: number;
  /** One sentence for help and docs/settings.md. */
  readonly description: string;
  readonly default?: boolean | number | string;
  /** Describes the behaviour when it is not set and has no default. */
  readonly unsetText?: string;
  /** Whether config.json may contain it. */
  readonly isAllowedInFile: boolean;
}

export const LOG_LEVELS = ["info", "debug", "warn"] as const;
export const COLOR_MODES = ["auto", "always", "never"] as const;

/** Settings by name, in the order in which they are listed and written. */
export const SETTINGS = {
  namespace: {
    variables: ["SERVICE_NAMESPACE"],
    flag: "namespace",
    type: "namespace",
    description: "Namespace to use.",
    unsetText: "the folder's namespace",
    isAllowedInFile: true,
  },
  log_level: {
    variables: ["SERVICE_LOG_LEVEL"],
    type: "choice",
    choices: LOG_LEVELS,
    description: "Minimum level of messages to log.",
    unsetText: "info for servers, warn for other commands",
    isAllowedInFile: true,
  },
  debug: {
    variables: ["SERVICE_DEBUG"],
    type: "switch",
    description: "Log everything, including protocol messages and the causes of errors.",
    default: false,
    isAllowedInFile: true,
  },
  color: {
    variables: ["FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"],
    type: "choice",
    choices: COLOR_MODES,
    description: "When to colour output; auto colours output to a terminal.",
    default: "auto",
    isAllowedInFile: true,
  },
  hyperlinks: {
    variables: ["SERVICE_HYPERLINKS"],
    type: "choice",
    choices: COLOR_MODES,
    description:
      "When to print result paths as links; auto does so on terminals known to support links.",
    default: "auto",
    isAllowedInFile: true,
  },
  pager: {
    variables: ["SVC_PAGER"],
    type: "command",
    description: "Program that shows output longer than the window; cat for none.",
    unsetText: "PAGER, else less",
    isAllowedInFile: true,
  },
  embeddings: {
    variables: ["SERVICE_EMBEDDINGS"],
    type: "path",
    description: "Folder of a model2vec model to use instead of the built-in embedding table.",
    unsetText: "the built-in embedding table",
    isAllowedInFile: true,
  },
  backend: {
    variables: ["SERVICE_BACKEND"],
    flag: "backend",
    type: "database",
    description:
      "PostgreSQL database with the indexes and credentials of a team, such as postgres://db.example.org/svc.",
    unsetText: "files of this machine",
    isAllowedInFile: true,
  },
  cache: {
    variables: ["SERVICE_CACHE"],
    type: "path",
    description: "Folder for this machine's copies of the indexes in a PostgreSQL database.",
    unsetText: "the folder cache in the data folder",
    isAllowedInFile: true,
  },
  cache_limit: {
    variables: ["SERVICE_CACHE_LIMIT"],
    flag: "cache-limit",
    type: "size",
    description:
      "Size of these copies, such as 20GB. For a new copy, svc deletes the least recently used ones.",
    unsetText: "unlimited",
    isAllowedInFile: true,
  },
  shard_chunks: {
    variables: ["SERVICE_SHARD_CHUNKS"],
    type: "integer",
    min: 100,
    max: 100_000_000,
    description:
      "Chunks in one shard of an index in a database; an index with more is divided, so that nodes can share its searches.",
    default: 2_500_000,
    isAllowedInFile: true,
  },
  node_url: {
    variables: ["SERVICE_NODE_URL"],
    flag: "node-url",
    type: "node",
    description:
      "Address under which other nodes of the database reach this `svc serve`, to share searches in large indexes.",
    unsetText: "this node searches alone",
    isAllowedInFile: true,
  },
  remote: {
    variables: ["SERVICE_REMOTE"],
    flag: "remote",
    type: "server",
    description: "Server that answers the calls of `svc mcp`, such as https://svc.example.org.",
    unsetText: "this machine",
    isAllowedInFile: true,
  },
  data_key_file: {
    variables: ["SERVICE_DATA_KEY_FILE"],
    type: "path",
    description: "File with the key of the credential store.",
    unsetText: "the place chosen when the store was created",
    isAllowedInFile: true,
  },
  audit_query: {
    variables: ["SERVICE_AUDIT_QUERY"],
    type: "switch",
    description: "Include the text of queries in the audit log.",
    default: false,
    isAllowedInFile: true,
  },
  queue_timeout_seconds: {
    variables: ["SERVICE_QUEUE_TIMEOUT_SECONDS"],
    type: "integer",
    min: 0,
    // A call times out after 30 s.
    max: 25,
    description:
      "Seconds a call may wait in the queue of `svc serve` before it is refused with 503.",
    default: 10,
    isAllowedInFile: true,
  },
  release_key: {
    variables: ["SERVICE_RELEASE_KEY"],
    type: "path",
    description:
      "File with a public key of minisign that must have signed the releases of `svc upgrade`.",
    unsetText: "the key that is part of the program, if there is one",
    isAllowedInFile: true,
  },
  home: {
    variables: ["SERVICE_HOME"],
    type: "path",
    description: "Folder for indexes, credentials and logs.",
    unsetText: "the platform's data folder",
    isAllowedInFile: false,
  },
  config_home: {
    variables: ["SERVICE_CONFIG_HOME"],
    type: "path",
    description: "Folder for config.json.",
    unsetText: "the platform's settings folder",
    isAllowedInFile: false,
  },
  token: {
    variables: ["SERVICE_TOKEN"],
    type: "secret",
    description: "Access token for `svc mcp`.",
    unsetText: "the token saved by `svc auth token create --save`",
    isAllowedInFile: false,
  },
  webhook_secret: {
    variables: ["SERVICE_WEBHOOK_SECRET"],
    type: "secret",
    description: "Secret of the webhooks that make `svc serve` refresh a namespace.",
    unsetText: "no webhooks are accepted",
    isAllowedInFile: false,
  },
  passphrase: {
    variables: ["SERVICE_PASSPHRASE"],
    type: "secret",
    description: "Passphrase of the credential store, if it was created with one.",
    isAllowedInFile: false,
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

export type SettingName = keyof typeof SETTINGS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object above
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** The definition of a setting, with every optional property. */
export function settingDefinition(name: SettingName): SettingDefinition {
  return SETTINGS[name];
}
