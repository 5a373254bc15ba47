// The single description of svc that every channel uses. Versions, names and texts of package.json are read from there.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "../../..");

export interface Product {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Placeholders until svc is published: docs/releasing.md. */
  readonly homepage: string;
  readonly maintainer: { readonly name: string; readonly email: string };
  /**
   * Whether the publisher owns the names of the packages in the registry of npm. If not, the package `svc` names no packages
   * of platforms: npm would run what somebody else publishes there.
   */
  readonly ownsNpmNames: boolean;
  /** The name in the MCP registry: the domain of the publisher in reverse, then the server. */
  readonly mcpName: string;
  /** Name of the container image in a registry. */
  readonly image: string;
  /** The folder with the files of the version, as a URL without a slash at its end. */
  readonly downloads: string;
  /** When the source was committed, in seconds since 1970: the time of every file in every package. */
  readonly sourceTime: number;
}

const HOMEPAGE = "https://svc.example.org";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

export function readProduct(): Product {
  const manifest: Manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const { name, version, description, license } = manifest;
  return {
    name,
    version,
    description,
    license,
    homepage: HOMEPAGE,
    maintainer: { name: "The svc developers", email: "svc@example.org" },
    ownsNpmNames: false,
    mcpName: "org.example.svc/svc",
    image: "svc.example.org/svc",
    downloads: `${HOMEPAGE}/releases/${version}`,
    sourceTime: sourceTime(),
  };
}

/** The earliest time that a zip archive can hold, in seconds. */
const WITHOUT_COMMIT = Date.UTC(1980, 0, 1) / 1000;

/**
 * The time by the convention of reproducible-builds.org, otherwise the time of the commit; a copy of the source without
 * its repository has none.
 */
function sourceTime(): number {
  const given = process.env["SOURCE_DATE_EPOCH"];
  if (given !== undefined && /^\d+$/.test(given)) return Number(given);
  try {
    const args = ["log", "-1", "--format=%ct"];
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const text = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: [...stdio] });
    return Number(text.trim());
  } catch {
    return WITHOUT_COMMIT;
  }
}
