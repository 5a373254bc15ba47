// Every channel of a release, in the order in which they are made.
import { mkdirSync } from "node:fs";
import path from "node:path";

import type { ReleaseFile } from "../notes.ts";
import type { Channel, ChannelInput } from "./channel.ts";
import { completionsChannel } from "./completions.ts";
import { debianChannel } from "./debian.ts";
import { imageChannel } from "./oci.ts";
import { registryChannel } from "./server-json.ts";
import { homebrewChannel } from "./homebrew.ts";
import { bundleChannel } from "./mcpb.ts";
import { npmChannel } from "./npm.ts";

const CHANNELS: readonly Channel[] = [
  completionsChannel,
  npmChannel,
  debianChannel,
  imageChannel,
  bundleChannel,
  registryChannel,
  homebrewChannel,
];

export interface MadeChannels {
  readonly files: readonly ReleaseFile[];
  readonly missing: Readonly<Record<string, string>>;
}

export async function makeChannels(input: ChannelInput): Promise<MadeChannels> {
  const files: ReleaseFile[] = [];
  const missing: Record<string, string> = {};
  for (const { name, make } of CHANNELS) {
    const work = path.join(input.work, name);
    mkdirSync(work, { recursive: true });
    // One after the other: a later channel names the sums of files of an earlier one.
    const output = await make({ ...input, work });
    files.push(...output.files);
    Object.assign(missing, output.missing);
  }
  return { files, missing };
}
