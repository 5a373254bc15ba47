// A registry of npm packages on a port of this machine: enough of the protocol for `npm install` and `npx`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Published {
  readonly archive: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

export interface NpmRegistry {
  readonly url: string;
  /** Paths that were requested, in order. */
  readonly requests: readonly string[];
  readonly close: () => void;
}

/** Publishes the `.tgz` files at these paths. */
export async function startNpmRegistry(archives: readonly string[]): Promise<NpmRegistry> {
  const packages = new Map(
    archives.map((archive): [string, Published] => {
      const text = execFileSync("tar", ["-xzOf", archive, "package/package.json"]);
      const manifest: Published["manifest"] = JSON.parse(text.toString());
      return [manifest.name, { archive, manifest }];
    }),
  );
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    requests.push(path);
    const file = packages.get(path.replace(/\.tgz$/, ""));
    if (file === undefined) {
      response.writeHead(404).end("{}");
    } else if (path.endsWith(".tgz")) {
      response.end(readFileSync(file.archive));
    } else {
      const host = request.headers.host ?? "";
      response.end(JSON.stringify(packument(file, `http://${host}/${path}.tgz`)));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, requests, close: () => server.close() };
}

function packument({ archive, manifest }: Published, tarball: string): object {
  const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  const { name, version } = manifest;
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball, integrity } } },
  };
}
