import { chmodSync } from "node:fs";
import { join } from "node:path";

import { createApp } from "../../src/app.ts";
import { commands } from "../../src/cli/commands.ts";
import { createMemoryIo } from "../../src/cli/io.ts";
import { runCli } from "../../src/cli/run.ts";
import { createSettings, readConfiguration } from "../../src/config/settings.ts";
import { plant, tree } from "./tree.ts";

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Machine {
  /** The project: working directory of every command. */
  readonly root: string;
  readonly home: string;
  readonly data: string;
  /** The folder of config.json. */
  readonly config: string;
  /** Runs one command as the program does, each with its own app. */
  readonly svc: (...words: readonly string[]) => Promise<CliRun>;
  readonly dispose: () => void;
}

/** As in src/main.ts. */
const MENDERS = new Set(["config", "doctor", "complete", "completions", ""]);

/** A user's machine with one project, without a keychain; `env` adds to its environment. */
export function machine(
  files: Parameters<typeof tree>[0] = {},
  env: Readonly<Record<string, string>> = {},
): Machine {
  const place = tree({ "home/": "", "project/": "", "data/": "", "config/": "" });
  const at = (name: string): string => join(place.path, name);
  plant(at("project"), files);
  // As svc creates it.
  chmodSync(at("data"), 0o700);
  const configuration = () =>
    readConfiguration({
      home: at("home"),
      env: {
        SERVICE_HOME: at("data"),
        SERVICE_CONFIG_HOME: at("config"),
        // Keeps the store away from the keychain of the user who runs the tests.
        SERVICE_PASSPHRASE: "correct horse battery staple",
        ...env,
      },
    });
  return {
    root: at("project"),
    home: at("home"),
    data: at("data"),
    config: at("config"),
    async svc(...words) {
      const io = createMemoryIo();
      const code = await runCli(words, {
        commands,
        welcome: () => import("../../src/cli/welcome.ts"),
        io,
        version: "0.8.0",
        debug: false,
        signal: new AbortController().signal,
        context: ({ path, signal }) => {
          const settings = createSettings(configuration(), {
            isLenient: MENDERS.has(path[0] ?? ""),
          });
          const app = createApp({
            settings,
            writeLog: io.err,
            humanLog: true,
            workingDirectory: at("project"),
          });
          return { io, signal, app };
        },
        close: (context) => context.app.close(),
      });
      return { code, out: io.stdout(), err: io.stderr() };
    },
    dispose: place.dispose,
  };
}
