import { readFileSync } from "node:fs";

import type { App } from "../../app.ts";
import { mainEntry, productVersion } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import { requireOwnFile } from "../../upgrade/managed-by.ts";
import { parsePublicKey, type PublicKey } from "../../upgrade/minisign.ts";
import { planUpgrade, platformName, type UpgradePlan } from "../../upgrade/plan-upgrade.ts";
import { RELEASE_KEY } from "../../upgrade/release-key.ts";
import { replaceProgram } from "../../upgrade/replace-program.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Replaces this program with the one of a release. FROM is a folder with the files of a release, or its https address. svc contacts only this address, and only when you run this command.\n\nVerifies the checksum of the new program and, with a public key, the signature of SHA256SUMS (minisign). The new program checks itself before it replaces this one in a single step; if anything fails, this one stays. If a package manager installed svc, changes nothing and names the command to use.\n\nRunning servers use the old program until they restart. `sh install.sh` also installs the manual pages.",
  args: [
    {
      name: "from",
      required: true,
      suggests: "folder",
      description: "Folder or https address of a release.",
    },
  ],
  flags: {
    check: {
      type: "boolean",
      description: "Show what would be installed, without installing it.",
    },
    allowOlder: {
      type: "boolean",
      description: "Allow a version that is older than this one.",
    },
    publicKey: {
      type: "string",
      placeholder: "KEY",
      description:
        "Minisign public key, or its file, that must have signed the release (default: $SERVICE_RELEASE_KEY, else the key in the program, if there is one).",
    },
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc upgrade ~/Downloads/svc-release", description: "Install from a folder." },
    {
      run: "svc upgrade https://svc.example.org/releases/1.2.3 --check",
      description: "Show what this release would change.",
    },
  ],
  async run({ args, flags }, { app, io, signal }) {
    const entry = mainEntry();
    await requireOwnFile(entry, signal);
    const program = entry.command;
    const key = publicKeyOf(app, flags.publicKey);
    const source = await app.openRelease(args.from, signal);
    try {
      const platform = platformName(process.platform, process.arch);
      const plan = await planUpgrade(source, { current: productVersion(), platform, key });
      const isInstalled = isWanted(plan, flags) && !flags.check;
      if (isInstalled) await replaceProgram(source, plan, program, signal);
      if (flags.json) printJson(io, { ...jsonOf(plan), program, installed: isInstalled });
      else report(io, plan, { program, isInstalled });
    } finally {
      await source.close();
    }
  },
});

/** Throws UPGRADE_FAILED for an older version that was not asked for. */
function isWanted(
  { state, version, current }: UpgradePlan,
  { check, allowOlder }: { readonly check: boolean; readonly allowOlder: boolean },
): boolean {
  if (state !== "older") return state === "newer";
  if (allowOlder || check) return allowOlder;
  throw new SvcError("UPGRADE_FAILED", `The release has svc ${version}, this is ${current}.`, {
    hint: "Add --allow-older to install the older version.",
  });
}

/** Throws USAGE for a key that is none. */
function publicKeyOf({ settings }: App, given: string | undefined): PublicKey | undefined {
  const named = given ?? settings.releaseKey;
  if (named === undefined && RELEASE_KEY === "") return undefined;
  const key = parsePublicKey(named === undefined ? RELEASE_KEY : (readKey(named) ?? named));
  if (key !== undefined) return key;
  throw new SvcError("USAGE", "The public key is neither a minisign key nor a file with one.", {
    hint: "Give a file that `minisign -G` wrote, such as minisign.pub, or the second line of it.",
  });
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function jsonOf({ current, version, state, file, programSum, signedBy }: UpgradePlan): object {
  return { current, version, state, file, sha256: programSum, signed_by: signedBy ?? null };
}

function report(
  io: Io,
  { current, version, state, file, signedBy }: UpgradePlan,
  { program, isInstalled }: { readonly program: string; readonly isInstalled: boolean },
): void {
  const signature =
    signedBy === undefined
      ? "Its checksums are not verified by a signature: no public key is known (--public-key)."
      : `Signed with the key ${signedBy}.`;
  if (state === "same") io.out(safeText(`svc ${current} is the version of this release.\n`));
  else if (isInstalled)
    io.out(safeText(`Installed svc ${version} in place of ${current}: ${program}\n`));
  else {
    const needed = state === "older" ? " with --allow-older, because it is older" : "";
    const plan = `Would install svc ${version} (${file}) in place of ${current}${needed}: ${program}\n`;
    io.out(safeText(plan));
  }
  io.err(`svc: ${signature}\n`);
}
