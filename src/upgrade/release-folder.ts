import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { readRegularFile } from "../base/files.ts";
import type { ReleaseSource } from "./release-source.ts";

/** A program has more than 100 MB. */
const CHUNK_BYTES = 1 << 20;

/** A release in a folder of this machine. Throws UPGRADE_FAILED if there is no such folder. */
export function releaseFolder(folder: string): ReleaseSource {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SvcError("UPGRADE_FAILED", `There is no folder ${folder}.`, {
      hint: "Name the folder with the files of a release, or its https address.",
    });
  }
  return {
    name: folder,
    isRemote: false,
    async read(file, maxBytes) {
      const path = join(folder, file);
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
      const bytes = readRegularFile(path, maxBytes);
      if (bytes === undefined) throw unreadable(path);
      return bytes;
    },
    async *stream(file) {
      const path = join(folder, file);
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw unreadable(path);
      yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
    },
    close: async () => {},
  };
}

function unreadable(path: string): SvcError {
  return new SvcError("UPGRADE_FAILED", `${path} cannot be read, or is not a file of a release.`, {
    hint: "Download the release again.",
  });
}
