import { chmodSync } from "node:fs";
import { join } from "node:path";

import { createApp, type App } from "../../src/app.ts";
import { commands } from "../../src/cli/commands.ts";
import { createMemoryIo, type MemoryIo } from "../../src/cli/io.ts";
import { runCli } from "../../src/cli/run.ts";
import { createSettings, readConfiguration } from "../../src/config/settings.ts";
import type { CredentialBackend } from "../../src/credentials/backend.ts";
import { indexThreads } from "./index-threads.ts";
import { plant, tree } from "./tree.ts";

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs commands in this process. */
export interface Commands {
  /** Opens the app of a command. The caller closes it. */
  readonly openApp: (
    command: string,
    writeLog?: (line: string) => void,
    flags?: Readonly<Record<string, string | undefined>>,
  ) => App;
  /** Runs one command as the program does, each with its own app. */
  readonly svc: (...words: readonly string[]) => Promise<CliRun>;
  /** The same with standard input. */
  readonly piped: (input: string, ...words: readonly string[]) => Promise<CliRun>;
  /** The same on a terminal of this size, without colours. */
  readonly onTerminal: (
    size: { readonly columns: number; readonly rows: number },
    ...words: readonly string[]
  ) => Promise<CliRun>;
}

export interface Machine extends Commands {
  /** The project: working directory of every command. */
  readonly root: string;
  readonly home: string;
  readonly data: string;
  /** The folder of config.json. */
  readonly config: string;
  /** The commands of the same user in another working directory. */
  readonly in: (folder: string) => Commands;
  readonly dispose: () => void;
}

/** Commands that also run with invalid settings, as in src/main.ts. */
const LENIENT_COMMANDS = new Set(["config", "doctor", "complete", "completions", ""]);

/**
 * A user's machine with one project, without a keychain; `env` adds to its environment. `openCredentials` opens its
 * credentials for one command; by default they are in a sealed store.
 */
export function createMachine(
  files: Parameters<typeof tree>[0] = {},
  env: Readonly<Record<string, string>> = {},
  openCredentials: () => CredentialBackend | undefined = () => undefined,
): Machine {
  const place = tree({ "home/": "", "project/": "", "data/": "", "config/": "" });
  const at = (name: string): string => join(place.path, name);
  plant(at("project"), files);
  // As svc creates it.
  chmodSync(at("data"), 0o700);
  const commandEnv = {
    SERVICE_HOME: at("data"),
    SERVICE_CONFIG_HOME: at("config"),
    // Keeps the store away from the keychain of the user who runs the tests. A passphrase would do that too, but
    // each command would spend 0.3 s on the key that it derives from it.
    SERVICE_DATA_KEY_FILE: at("data.key"),
    ...env,
  };
  return {
    root: at("project"),
    home: at("home"),
    data: at("data"),
    config: at("config"),
    in: (root) => commandsIn({ root, home: at("home"), env: commandEnv, openCredentials }),
    ...commandsIn({
      root: at("project"),
      home: at("home"),
      env: commandEnv,
      openCredentials,
    }),
    dispose: place.dispose,
  };
}

/** The commands of a user with this home and environment, in the folder `root`. */
export function commandsIn({
  root,
  home,
  env,
  openCredentials = () => undefined,
}: {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly openCredentials?: () => CredentialBackend | undefined;
}): Commands {
  const openApp: Commands["openApp"] = (command, writeLog = () => {}, flags = {}) =>
    createApp({
      settings: createSettings(readConfiguration({ home, env }), {
        isLenient: LENIENT_COMMANDS.has(command),
        flags,
      }),
      writeLog,
      humanLog: true,
      workingDirectory: root,
      credentials: openCredentials(),
      jobRunner: indexThreads(),
    });
  const run = async (io: MemoryIo, words: readonly string[]): Promise<CliRun> => {
    const code = await runCli(words, {
      commands,
      welcome: () => import("../../src/cli/welcome.ts"),
      io,
      version: "0.8.0",
      debug: false,
      signal: new AbortController().signal,
      context: ({ path, settingFlags, signal }) => ({
        io,
        signal,
        app: openApp(path[0] ?? "", io.err, settingFlags),
      }),
      close: (context) => context.app.close(),
    });
    return { code, out: io.stdout(), err: io.stderr() };
  };
  return {
    openApp,
    svc: (...words) => run(createMemoryIo(), words),
    piped: (input, ...words) => run(createMemoryIo({ input }), words),
    onTerminal: (size, ...words) => run(createMemoryIo({ isTerminal: true, ...size }), words),
  };
}
