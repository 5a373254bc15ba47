// The program: command line in, exit code out.

import { createApp } from "./app.ts";
import { productVersion } from "./base/assets.ts";
import { commands } from "./cli/commands.ts";
import { interruptSignal } from "./cli/interrupt.ts";
import { createTerminalIo } from "./cli/io.ts";
import { runCli } from "./cli/run.ts";
import { readEnvironment, readTerminalSettings } from "./config/settings.ts";

/** Commands that serve others: they log every call (interface, section 8). */
const SERVERS = new Set(["mcp", "serve"]);

export async function main(argv: readonly string[]): Promise<void> {
  const terminal = readTerminalSettings();
  const io = createTerminalIo({ colour: terminal.colour });
  process.exitCode = await runCli(argv, {
    commands,
    io,
    version: productVersion(),
    debug: terminal.debug,
    signal: interruptSignal(),
    context: ({ path, signal }) => {
      const isServer = SERVERS.has(path[0] ?? "");
      const settings = readEnvironment({ defaultLogLevel: isServer ? "info" : "warn" });
      const app = createApp({
        settings,
        writeLog: (line) => io.err(line),
        humanLog: io.errIsTerminal,
      });
      return { io, signal, app };
    },
    close: ({ app }) => app.close(),
  });
}

if (import.meta.main) await main(process.argv.slice(2));
