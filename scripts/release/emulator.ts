// Finds out how this machine can run an executable for another processor.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import type { ReleaseTarget } from "./targets.ts";

/** Where Debian and Ubuntu put the libraries of ARM that the executable is linked against. */
const LIBRARIES = "/usr/aarch64-linux-gnu";

/** The words before the program; undefined if it cannot run here. */
export function emulatorFor({
  platform,
  arch,
}: Pick<ReleaseTarget, "platform" | "arch">): readonly string[] | undefined {
  if (platform === process.platform && arch === process.arch) return [];
  if (platform !== "linux" || arch !== "arm64" || !existsSync(LIBRARIES)) return undefined;
  const found = ["qemu-aarch64-static", "qemu-aarch64"].find(
    (name) => spawnSync(name, ["--version"]).status === 0,
  );
  return found === undefined ? undefined : [found, "-L", LIBRARIES];
}
