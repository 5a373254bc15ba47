import { createLogger } from "../../src/base/log.ts";
import type { Engine } from "../../src/engine/api/engine.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { Environment } from "../workspace.ts";

/** An engine over the indexes that the program built with these folders. */
export function engineIn(home: Environment, workspace: string): Engine {
  return createEngine({
    dataDirectory: home["SERVICE_HOME"] ?? "",
    home: home["HOME"] ?? "",
    logger: createLogger({
      level: "warn",
      human: true,
      write: (line) => process.stderr.write(line),
    }),
    workspace: () => workspace,
  });
}
