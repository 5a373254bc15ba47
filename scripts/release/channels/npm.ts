// The packages for npm: one for each platform, with its executable, and `svc`, which finds it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { isHost } from "../executables.ts";
import { makeNpmPackage } from "../npm-package.ts";
import type { ReleaseFile } from "../notes.ts";
import {
  noticesOf,
  released,
  requireVersion,
  type Channel,
  type ChannelInput,
  type MadeExecutable,
} from "./channel.ts";
import { packageName, platformArchive, programName } from "./npm-platform.ts";

export const npmChannel: Channel = {
  name: "npm",
  async make(input) {
    const main = await mainPackage(input);
    return { files: [main, ...input.made.map((one) => platformPackage(one, input))] };
  },
};

function platformPackage(
  one: MadeExecutable,
  { product, folder, work }: ChannelInput,
): ReleaseFile {
  const { target, executable } = one;
  const archive = platformArchive({ target, executable, notices: noticesOf(one), product });
  const name = `${packageName(target)}-${product.version}.tgz`;
  const outcome = isHost(target)
    ? { ran: true, tried: "unpacked, and ran" }
    : { ran: false, tried: "not installed: for another platform" };
  const file = released(folder, name, archive, outcome);
  if (isHost(target)) {
    execFileSync("tar", ["-xzf", path.join(folder, name), "-C", work]);
    requireVersion(path.join(work, "package/bin", programName(target)), ["--version"], product);
  }
  return file;
}

async function mainPackage({
  product,
  folder,
  npmPackage,
  made,
}: ChannelInput): Promise<ReleaseFile> {
  const targets = made.map(({ target }) => target);
  await makeNpmPackage(npmPackage, product.ownsNpmNames ? targets : []);
  requireVersion(process.execPath, [path.join(npmPackage, "bin/svc.js"), "--version"], product);
  const shell = process.platform === "win32";
  const args = ["pack", "--json", "--loglevel=error", "--pack-destination", folder];
  const output = execFileSync("npm", args, { cwd: npmPackage, encoding: "utf8", shell });
  const packed: readonly { readonly filename: string }[] = JSON.parse(output);
  const name = packed[0]?.filename ?? "";
  return released(folder, name, readFileSync(path.join(folder, name)), { ran: true, tried: "ran" });
}
