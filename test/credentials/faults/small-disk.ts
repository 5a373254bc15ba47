// Separate disks for tests that fill one or make it read-only; only root can mount them.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { memoryHome } from "./programs.ts";

export interface SmallDisk {
  readonly root: string;
  readonly directory: string;
  readonly keyDirectory: string;
  readonly remount: (access: "ro" | "rw") => void;
}

function mount(path: string, options: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status === 0;
}

function unmount(path: string): void {
  spawnSync("umount", ["-l", path]);
}

/** Creates a disk in memory of that many KiB; unmounted when the test ends. */
export function smallDisk(kibibytes: number): SmallDisk {
  const root = join(memoryHome().root, "disk");
  mkdirSync(root);
  if (!mount(root, `size=${kibibytes}k,mode=700`)) throw new Error("tmpfs cannot be mounted");
  onTestFinished(() => unmount(root));
  return {
    root,
    directory: join(root, "store"),
    keyDirectory: join(root, "keys"),
    remount(access) {
      const { status } = spawnSync("mount", ["-o", `remount,${access}`, root]);
      if (status !== 0) throw new Error(`the disk cannot be remounted ${access}`);
    },
  };
}
