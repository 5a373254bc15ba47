import { sizeText } from "../base/amounts.ts";
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { hasDiskSpace } from "../base/disk-space.ts";
import { remoteFileSystem } from "../scan/folder-watcher.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { type Finding, createReporter } from "./finding.ts";

const CHECK = "data directory";
const { ok, warning, failed } = createReporter(CHECK);

/** With less free space, even a change of credentials may fail. */
const MIN_FREE_BYTES = 4 << 20;

/** The folders of data and settings are writable, and the data directory has free space on a local disk. */
export const checkDataDirectory: Check = {
  name: CHECK,
  run({ settings: { dataDirectory, configDirectory, keyDirectory } }) {
    const folders = [dataDirectory, configDirectory, keyDirectory];
    const obstacles = folders.flatMap((folder, at) => obstacleTo(folder, at > 0));
    if (obstacles.length > 0) return obstacles;
    if (statSync(dataDirectory, { throwIfNoEntry: false }) === undefined) {
      return [ok(`${dataDirectory} does not exist yet; the first index creates it`)];
    }
    return [...diskSpace(dataDirectory), ...remoteFileSystemFindings(dataDirectory)];
  },
};

function obstacleTo(folder: string, isOther: boolean): readonly Finding[] {
  const stat = statSync(folder, { throwIfNoEntry: false });
  // svc creates a missing folder, so its nearest existing parent must be writable.
  if (stat === undefined)
    return dirname(folder) === folder ? [] : obstacleTo(dirname(folder), isOther);
  const variable = isOther ? "SERVICE_CONFIG_HOME" : "SERVICE_HOME";
  if (!stat.isDirectory()) {
    // A wrong variable is more likely than a misplaced file, so the hint names the variable first.
    const move = `mv ${quoted(folder)} ${quoted(`${folder}.old`)}`;
    const fix = `Choose a folder with ${variable}, or run \`${move}\` if the file is in the way.`;
    return [failed(`${folder} is not a folder`, fix)];
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (thrown) {
    const isReadOnly = thrown instanceof Error && "code" in thrown && thrown.code === "EROFS";
    const what = isReadOnly
      ? `${folder} is on a read-only disk`
      : `this account has no access to ${folder}`;
    const fix = isReadOnly
      ? "Mount the disk with write access (`mount -o remount,rw MOUNT`)"
      : `Run \`chmod u+rwx ${quoted(folder)}\``;
    return [failed(what, `${fix}, or choose another folder with ${variable}.`)];
  }
}

function diskSpace(folder: string): readonly Finding[] {
  const { bavail, bsize } = statfsSync(folder);
  const free = `${folder}: ${sizeText(bavail * bsize)} free`;
  const fix = `Free some space (\`svc namespaces remove NS\` deletes an index), or move the data with SERVICE_HOME; \`df -h ${quoted(folder)}\` shows the disk.`;
  if (bavail * bsize < MIN_FREE_BYTES) return [failed(`${free}: the disk is full`, fix)];
  return [hasDiskSpace(folder) ? ok(free) : warning(`${free}: the disk is almost full`, fix)];
}

function remoteFileSystemFindings(folder: string): readonly Finding[] {
  const name = remoteFileSystem(folder);
  if (name === undefined) return [];
  return [
    warning(
      `${folder} is on a ${name} file system, whose locks are unreliable`,
      "Set SERVICE_HOME to a folder on a disk of this machine.",
    ),
  ];
}
