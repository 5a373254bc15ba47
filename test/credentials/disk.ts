import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { fixturePath, tempHome } from "./home.ts";

/** Root may create a mount namespace directly, other users only inside a user namespace. */
const NAMESPACE = [...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]), "--mount"];

/**
 * Runs a scenario of fixtures/hard-disk.ts on its own disk in its own mount namespace. File modes apply to it as
 * for a normal user.
 */
export async function onItsOwnDisk(scenario: string): Promise<unknown> {
  const { root } = tempHome();
  const asAnyUser = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
  const args = [root, scenario, fixturePath("die-while-writing.ts")];
  const script = [process.execPath, fixturePath("hard-disk.ts"), ...args];
  const { stdout } = await promisify(execFile)("unshare", [...NAMESPACE, ...asAnyUser, ...script]);
  return JSON.parse(stdout);
}
