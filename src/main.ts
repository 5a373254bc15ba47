// The program: command line in, exit code out.

import { createApp } from "./app.ts";
import { productVersion } from "./base/assets.ts";
import { requireUsableLimits } from "./base/process-limits.ts";
import { commands } from "./cli/commands.ts";
import { interruptSignal } from "./cli/interrupt.ts";
import { createTerminalIo } from "./cli/io.ts";
import { runCli } from "./cli/run.ts";
import { takeEnvironment } from "./config/environment.ts";
import { createSettings, readConfiguration, terminalSettings } from "./config/settings.ts";

/** Server commands, which log every call (interface, section 8). */
const SERVER_COMMANDS = new Set(["mcp", "serve"]);

/**
 * Commands that also run with invalid settings, because they fix or diagnose them or show help ("" is not a command at
 * all).
 */
const LENIENT_COMMANDS = new Set(["config", "doctor", "complete", "completions", ""]);

export async function main(argv: readonly string[]): Promise<void> {
  const configuration = readConfiguration({ env: takeEnvironment() });
  const terminal = terminalSettings(configuration);
  const io = createTerminalIo(terminal);
  const code = await runCli(argv, {
    commands,
    welcome: () => import("./cli/welcome.ts"),
    io,
    version: productVersion(),
    debug: terminal.debug,
    signal: interruptSignal(),
    context: ({ path, settingFlags, signal }) => {
      requireUsableLimits();
      const [group = ""] = path;
      const settings = createSettings(configuration, {
        defaultLogLevel: SERVER_COMMANDS.has(group) ? "info" : "warn",
        isLenient: LENIENT_COMMANDS.has(group),
        flags: settingFlags,
      });
      const app = createApp({
        settings,
        writeLog: (line) => io.err(line),
        humanLog: io.errIsTerminal,
      });
      return { io, signal, app };
    },
    close: ({ app }) => app.close(),
  });
  // Everything is written and closed. The end that Node would reach by itself first collects garbage and gives back
  // each page of the heap, which takes 20 ms after a look at 11,000 files.
  // oxlint-disable-next-line no-restricted-properties -- this is the end of the program
  process.exit(code);
}

if (import.meta.main) await main(process.argv.slice(2));
