import { accessSync, constants, statfsSync, statSync } from "node:fs";

import { hasDiskSpace } from "../base/disk-space.ts";
import { remoteFileSystem } from "../scan/folder-watcher.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { type Finding, sizeText, createReporter } from "./finding.ts";

const CHECK = "data directory";
const { ok, warning, failed } = createReporter(CHECK);

/** With less than that not even a change of credentials is sure to be written. */
const MIN_FREE_BYTES = 4 << 20;

/** The folder of all data is there, can be written, and has room; so has that of the settings. */
export const checkDataDirectory: Check = {
  name: CHECK,
  run({ settings: { dataDirectory, configDirectory, keyDirectory } }) {
    const folders = [dataDirectory, configDirectory, keyDirectory];
    const obstacles = folders.flatMap((folder, at) => obstacleTo(folder, at > 0));
    if (obstacles.length > 0) return obstacles;
    if (statSync(dataDirectory, { throwIfNoEntry: false }) === undefined) {
      return [ok(`${dataDirectory} is made when something is indexed`)];
    }
    return [...diskSpace(dataDirectory), ...remoteFileSystemFindings(dataDirectory)];
  },
};

function obstacleTo(folder: string, isOther: boolean): readonly Finding[] {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const variable = isOther ? "SERVICE_CONFIG_HOME" : "SERVICE_HOME";
  if (!stat.isDirectory()) {
    // A variable that names a file is likelier than a file in the place of the folder: no move first.
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
      ? `${folder} is on a disk that can only be read`
      : `${folder} cannot be used by this account`;
    const fix = isReadOnly
      ? "Mount the disk so that it can be written (`mount -o remount,rw MOUNT`)"
      : `Run \`chmod u+rwx ${quoted(folder)}\``;
    return [failed(what, `${fix}, or choose another folder with ${variable}.`)];
  }
}

function diskSpace(folder: string): readonly Finding[] {
  const { bavail, bsize } = statfsSync(folder);
  const free = `${folder}: ${sizeText(bavail * bsize)} free`;
  const fix = `Free some space (\`svc namespaces remove NS\` deletes an index), or move the data with SERVICE_HOME; \`df -h ${quoted(folder)}\` shows the disk.`;
  if (bavail * bsize < MIN_FREE_BYTES) return [failed(`${free}: the disk is full`, fix)];
  return [hasDiskSpace(folder) ? ok(free) : warning(`${free}: the disk is all but full`, fix)];
}

function remoteFileSystemFindings(folder: string): readonly Finding[] {
  const name = remoteFileSystem(folder);
  if (name === undefined) return [];
  return [
    warning(
      `${folder} is on a ${name} file system, whose locks cannot be relied on`,
      "Set SERVICE_HOME to a folder on a disk of this machine.",
    ),
  ];
}
