// A container image as an OCI archive, made without a daemon: a layer with libraries, a layer with the program.
// `docker load`, `podman load` and `skopeo copy oci-archive:` read it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

import type { ReleaseTarget } from "../targets.ts";
import { noticesOf, released, type Channel } from "./channel.ts";
import { IMAGE_DATA, imageBase, IMAGE_USER, IMAGE_WORK } from "./oci-base.ts";
import { ROOT, type Product } from "./product.ts";
import { tarOf, withFolders, type TarEntry } from "./tar.ts";

interface Image {
  readonly target: ReleaseTarget;
  readonly executable: string;
  readonly notices: string;
  readonly product: Product;
}

interface Blob {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

interface Layer extends Blob {
  /** Of the archive before compression. */
  readonly diffId: string;
}

const OCI = "application/vnd.oci.image";
const SECONDS = 1_000_000_000;
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;

/** The archive. Equal inputs and equal packages of Debian make equal bytes. */
export function imageArchive(image: Image, level = 9): Buffer {
  const { product, target } = image;
  const { entries, packages } = imageBase(target.arch);
  const layers = [entries, programEntries(image)].map((list) => layerOf(list, product, level));
  const config = json(`${OCI}.config.v1+json`, configOf(image, layers, packages));
  const manifest = json(`${OCI}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${OCI}.manifest.v1+json`,
    config: descriptor(config),
    layers: layers.map(descriptor),
    annotations: labelsOf(product, packages),
  });
  const name = `${product.name}:${product.version}`;
  const index = {
    schemaVersion: 2,
    mediaType: `${OCI}.index.v1+json`,
    manifests: [
      {
        ...descriptor(manifest),
        platform: { architecture: ARCHITECTURES[target.arch], os: "linux" },
        annotations: {
          "org.opencontainers.image.ref.name": product.version,
          "io.containerd.image.name": name,
        },
      },
    ],
  };
  const blobs = [config, manifest, ...layers];
  // An older Docker reads only this description.
  const docker = [{ Config: blobPath(config), RepoTags: [name], Layers: layers.map(blobPath) }];
  const files: readonly TarEntry[] = [
    file("oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" })),
    file("index.json", JSON.stringify(index)),
    file("manifest.json", JSON.stringify(docker)),
    ...blobs.map((blob) => file(blobPath(blob), blob.bytes)),
  ];
  return tarOf(withFolders(files), product.sourceTime);
}

export function imageFile({ id }: ReleaseTarget, { version }: Product): string {
  return `svc-${version}-${id}.oci.tar`;
}

function programEntries({ executable, notices }: Image): readonly TarEntry[] {
  return [
    { path: "usr/bin/svc", mode: 0o755, content: readFileSync(executable) },
    file("usr/share/doc/svc/copyright", readFileSync(path.join(ROOT, "LICENSE"))),
    file("usr/share/doc/svc/THIRD_PARTY_NOTICES", notices),
  ];
}

function configOf(
  { product, target }: Image,
  layers: readonly Layer[],
  packages: readonly string[],
): object {
  return {
    created: new Date(product.sourceTime * 1000).toISOString(),
    architecture: ARCHITECTURES[target.arch],
    os: "linux",
    config: {
      User: `${IMAGE_USER}:${IMAGE_USER}`,
      Env: [
        "PATH=/usr/bin",
        `HOME=${IMAGE_DATA}`,
        `SERVICE_HOME=${IMAGE_DATA}/data`,
        `SERVICE_CONFIG_HOME=${IMAGE_DATA}/config`,
      ],
      Entrypoint: ["/usr/bin/svc"],
      Volumes: { [IMAGE_DATA]: {} },
      WorkingDir: IMAGE_WORK,
      Labels: labelsOf(product, packages),
      // Docker reads it; the specification of OCI images does not know it.
      Healthcheck: {
        Test: ["CMD", "/usr/bin/svc", "doctor"],
        Interval: 60 * SECONDS,
        Timeout: 30 * SECONDS,
      },
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
  };
}

function labelsOf(product: Product, packages: readonly string[]): Readonly<Record<string, string>> {
  return {
    "io.modelcontextprotocol.server.name": product.mcpName,
    "org.opencontainers.image.title": product.name,
    "org.opencontainers.image.description": product.description,
    "org.opencontainers.image.version": product.version,
    "org.opencontainers.image.licenses": product.license,
    "org.opencontainers.image.url": product.homepage,
    "org.opencontainers.image.created": new Date(product.sourceTime * 1000).toISOString(),
    "org.debian.packages": packages.join(", "),
  };
}

function layerOf(entries: readonly TarEntry[], { sourceTime }: Product, level: number): Layer {
  const archive = tarOf(withFolders(entries), sourceTime);
  const bytes = gzipSync(archive, { level });
  return { mediaType: `${OCI}.layer.v1.tar+gzip`, bytes, diffId: `sha256:${sha256(archive)}` };
}

function json(mediaType: string, value: object): Blob {
  return { mediaType, bytes: Buffer.from(JSON.stringify(value)) };
}

function descriptor({ mediaType, bytes }: Blob): object {
  return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
}

function blobPath({ bytes }: Blob): string {
  return `blobs/sha256/${sha256(bytes)}`;
}

function file(name: string, content: string | Uint8Array): TarEntry {
  return { path: name, mode: 0o644, content: Buffer.from(content) };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export const imageChannel: Channel = {
  name: "oci",
  make({ product, folder, made }) {
    const missing: Record<string, string> = {};
    const files = made
      .filter(({ target }) => target.platform === "linux")
      .flatMap((one) => {
        const { target, executable } = one;
        try {
          const archive = imageArchive({ target, executable, notices: noticesOf(one), product });
          const tried = "not run; its program is the executable above";
          return [released(folder, imageFile(target, product), archive, { ran: false, tried })];
        } catch (error) {
          missing[`container image for ${target.id}`] =
            `not made, ${error instanceof Error ? error.message : String(error)}`;
          return [];
        }
      });
    return { files, missing };
  },
};
