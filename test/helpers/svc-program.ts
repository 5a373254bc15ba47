import { join, resolve } from "node:path";

const MAIN = join(import.meta.dirname, "../../src/main.ts");

/**
 * Returns the command that starts svc: the built program if SVC_BIN names one, as in `npm test`, otherwise the sources.
 */
export function svcProgram(): readonly [program: string, ...args: string[]] {
  const built = process.env["SVC_BIN"];
  return built === undefined ? [process.execPath, MAIN] : [resolve(built)];
}
