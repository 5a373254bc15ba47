// The one table of settings: the program, `svc config`, config.json and docs/settings.md follow it.
// A setting comes from a flag, else the environment, else config.json, else its default.

export interface SettingDefinition {
  /** Environment variables that set it, the one that outranks the others first. */
  readonly variables: readonly string[];
  /** The flag of commands that sets it, without dashes. */
  readonly flag?: string;
  readonly type: "choice" | "integer" | "namespace" | "path" | "secret" | "switch";
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** The least and the greatest value of an integer. */
  readonly min?: number;
  readonly max?: number;
  /** One sentence. */
  readonly description: string;
  readonly default?: boolean | number | string;
  /** What holds where it is not set and has no default, in words. */
  readonly unsetText?: string;
  /** May stand in config.json. */
  readonly isAllowedInFile: boolean;
}

export const LOG_LEVELS = ["info", "debug", "warn"] as const;
export const COLOR_MODES = ["auto", "always", "never"] as const;

/** By name, in the order in which they are listed and written. */
export const SETTINGS = {
  namespace: {
    variables: ["SERVICE_NAMESPACE"],
    flag: "namespace",
    type: "namespace",
    description: "The namespace to work on.",
    unsetText: "that of the folder",
    isAllowedInFile: true,
  },
  log_level: {
    variables: ["SERVICE_LOG_LEVEL"],
    type: "choice",
    choices: LOG_LEVELS,
    description: "The least important lines that are logged.",
    unsetText: "info in servers, warn elsewhere",
    isAllowedInFile: true,
  },
  debug: {
    variables: ["SERVICE_DEBUG"],
    type: "switch",
    description:
      "Logs everything, each message of the protocol and the causes of failures included.",
    default: false,
    isAllowedInFile: true,
  },
  color: {
    variables: ["FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"],
    type: "choice",
    choices: COLOR_MODES,
    description: "Whether output is coloured; auto colours what goes to a terminal.",
    default: "auto",
    isAllowedInFile: true,
  },
  hyperlinks: {
    variables: ["SERVICE_HYPERLINKS"],
    type: "choice",
    choices: COLOR_MODES,
    description:
      "Whether paths of results are links on a terminal; auto where it is known to show links.",
    default: "auto",
    isAllowedInFile: true,
  },
  embeddings: {
    variables: ["SERVICE_EMBEDDINGS"],
    type: "path",
    description:
      "The folder of a model2vec model that takes the place of the built-in table of words.",
    unsetText: "the built-in table",
    isAllowedInFile: true,
  },
  data_key_file: {
    variables: ["SERVICE_DATA_KEY_FILE"],
    type: "path",
    description: "The file that holds the key of the credential store.",
    unsetText: "where the key was put when the store was made",
    isAllowedInFile: true,
  },
  audit_query: {
    variables: ["SERVICE_AUDIT_QUERY"],
    type: "switch",
    description: "Writes the text of queries into the audit log.",
    default: false,
    isAllowedInFile: true,
  },
  queue_timeout_seconds: {
    variables: ["SERVICE_QUEUE_TIMEOUT_SECONDS"],
    type: "integer",
    min: 0,
    // A call has 30 s in all.
    max: 25,
    description:
      "How long `svc serve` lets a call wait for its turn before it refuses it with 503.",
    default: 10,
    isAllowedInFile: true,
  },
  home: {
    variables: ["SERVICE_HOME"],
    type: "path",
    description: "The folder of indexes, credentials and logs.",
    unsetText: "the data folder of the platform",
    isAllowedInFile: false,
  },
  config_home: {
    variables: ["SERVICE_CONFIG_HOME"],
    type: "path",
    description: "The folder of config.json.",
    unsetText: "the settings folder of the platform",
    isAllowedInFile: false,
  },
  token: {
    variables: ["SERVICE_TOKEN"],
    type: "secret",
    description: "The access token of `svc mcp`.",
    unsetText: "the one that `svc auth token create --save` kept",
    isAllowedInFile: false,
  },
  passphrase: {
    variables: ["SERVICE_PASSPHRASE"],
    type: "secret",
    description: "Opens the credential store, where it was made with a passphrase.",
    isAllowedInFile: false,
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

export type SettingName = keyof typeof SETTINGS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object above
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** The row of a setting, whichever it is. */
export function settingDefinition(name: SettingName): SettingDefinition {
  return SETTINGS[name];
}
