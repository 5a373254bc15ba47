// The generation the store had reached, kept outside its file: a copy of the file made earlier shows
// a lower number and is refused, although every seal in it is good.
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { checkPrivateFile, readPrivateFile, replacePrivateFile } from "./private-files.ts";

export interface Anchor {
  /** Undefined when there is none. Throws CREDENTIAL_STORE when it was not written with this key. */
  readonly read: () => number | undefined;
  readonly write: (generation: number) => void;
}

const FORM = /^(\d{1,15}) ([0-9a-f]{64})\n$/;

export function openAnchor(directory: string, key: Buffer): Anchor {
  const path = anchorPath(directory);
  const line = (generation: string): string => {
    const mac = createHmac("sha256", key).update(`anchor:${generation}`).digest("hex");
    return `${generation} ${mac}\n`;
  };
  return {
    read() {
      const text = readPrivateFile(path);
      if (text === undefined) return undefined;
      const generation = FORM.exec(text)?.[1];
      if (
        generation === undefined ||
        !timingSafeEqual(Buffer.from(line(generation)), Buffer.from(text))
      ) {
        throw new SvcError("CREDENTIAL_STORE", "The anchor of the credential store was changed.", {
          hint: `Put ${path} back from a backup.`,
        });
      }
      return Number(generation);
    },
    write(generation) {
      replacePrivateFile(path, line(String(generation)));
    },
  };
}

/** True when a store has been created here, whether or not its file is still there. */
export function hasAnchor(directory: string): boolean {
  return checkPrivateFile(anchorPath(directory));
}

function anchorPath(directory: string): string {
  return join(directory, "credentials.anchor");
}
