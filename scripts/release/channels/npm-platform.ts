// An npm package for each platform, which holds its executable. npm installs the one that fits, as an optional
// dependency of the package svc: no script runs at the installation, and nothing is downloaded from elsewhere.
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import type { ReleaseTarget } from "../targets.ts";
import { ROOT, type Product } from "./product.ts";
import { tarOf, type TarEntry } from "./tar.ts";

interface PlatformContent {
  readonly target: ReleaseTarget;
  /** Path of the executable. */
  readonly executable: string;
  /** Its third-party licences. */
  readonly notices: string;
  readonly product: Product;
}

/** `svc-linux-x64`: npm-bin.js finds it by this name. */
export function packageName({ id }: Pick<ReleaseTarget, "id">): string {
  return `svc-${id}`;
}

/** The `.tgz` of the package. */
export function platformArchive(options: PlatformContent, level = 9): Buffer {
  const { target, executable, notices, product } = options;
  const manifest = `${JSON.stringify(platformManifest(target, product), null, 2)}\n`;
  const readme =
    `# ${packageName(target)}\n\nThe executable of [svc](${product.homepage}) for ${target.id}. ` +
    "Install the package `svc`, which installs this one where it fits.\n";
  const files: readonly TarEntry[] = [
    { path: "package.json", mode: 0o644, content: Buffer.from(manifest) },
    { path: "LICENSE", mode: 0o644, content: readFileSync(path.join(ROOT, "LICENSE")) },
    { path: "README.md", mode: 0o644, content: Buffer.from(readme) },
    { path: "THIRD_PARTY_NOTICES", mode: 0o644, content: Buffer.from(notices) },
    { path: `bin/${programName(target)}`, mode: 0o755, content: readFileSync(executable) },
  ];
  const entries = files.map((file) => ({ ...file, path: `package/${file.path}` }));
  return gzipSync(tarOf(entries, product.sourceTime), { level });
}

export function programName({ platform }: Pick<ReleaseTarget, "platform">): string {
  return platform === "win32" ? "svc.exe" : "svc";
}

function platformManifest(target: ReleaseTarget, product: Product): object {
  const { name, version, description, license, homepage } = product;
  return {
    name: packageName(target),
    version,
    description: `${description} The executable of ${name} for ${target.id}.`,
    license,
    homepage,
    os: [target.platform],
    cpu: [target.arch],
    // Alpine and others have another C library; there the package svc runs on the user's Node.
    ...(target.platform === "linux" ? { libc: ["glibc"] } : {}),
    preferUnplugged: true,
  };
}
