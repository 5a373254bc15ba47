import { execFile, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

import { fixturePath, tempHome } from "./home.ts";

/** Root may make a mount namespace as it is, other users inside of a user namespace. */
const NAMESPACE = [...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]), "--mount"];

/** What the kernel says against a disk of its own; "" where there may be one, as there may not in most containers. */
export function mountRefusal(): string {
  const mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "svc", tmpdir()];
  const { status, stderr, error } = spawnSync("unshare", [...NAMESPACE, ...mount], {
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return status === 0 ? "" : stderr;
}

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
