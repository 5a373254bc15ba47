import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { fixturePath, tempHome } from "./home.ts";

/** Root may make a mount namespace as it is, other users inside of a user namespace. */
const NAMESPACE = [...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]), "--mount"];

/**
 * Runs a scenario of fixtures/hard-disk.ts on a disk of its own, in a mount namespace of its own. Modes of
 * files hold for the scenario as for any user.
 */
export async function onItsOwnDisk(scenario: string): Promise<unknown> {
  const { root } = tempHome();
  const asAnyUser = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
  const script = [process.execPath, fixturePath("hard-disk.ts"), root, scenario];
  const { stdout } = await promisify(execFile)("unshare", [...NAMESPACE, ...asAnyUser, ...script]);
  return JSON.parse(stdout);
}
