// The container image with the built program: its structure against the schemas of OCI, and its layers as the root of a
// process, without a daemon.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, test } from "vitest";

import { imageArchive } from "../../scripts/release/channels/oci.ts";
import { readProduct } from "../../scripts/release/channels/product.ts";
import { isHost } from "../../scripts/release/executables.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { needs } from "../helpers/needs.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCHEMAS = join(ROOT, "test/scripts/release/channels/fixtures/oci");
const SVC = join(ROOT, "dist/svc");
const BASE = mkdtempSync(join(tmpdir(), "svc-image-"));
const LAYOUT = join(BASE, "layout");
const PRODUCT = readProduct();
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}
interface Config {
  readonly config: {
    readonly Entrypoint: readonly string[];
    readonly Env: readonly string[];
    readonly User: string;
    readonly WorkingDir: string;
  };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

function archiveOf(executable: string): Buffer {
  const target = TARGETS.find(isHost);
  if (target === undefined) throw new Error("nothing is released for this platform");
  // Level 0: the structure does not depend on it.
  return imageArchive({ target, executable, notices: "of others\n", product: PRODUCT }, 0);
}

function blob({ digest, size }: Descriptor): Buffer {
  const bytes = readFileSync(join(LAYOUT, "blobs", digest.replace(":", "/")));
  expect(bytes.length).toBe(size);
  expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(digest);
  return bytes;
}

/** The violations of a schema of the specification by a value. */
function problemsOf(schema: string, value: unknown): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of readdirSync(SCHEMAS).filter((one) => one.endsWith(".json"))) {
    const text = readFileSync(join(SCHEMAS, name), "utf8");
    // The schemas use draft 4, whose `id` only repeats the file names here.
    const parsed: object = JSON.parse(text, (key, inner: unknown) =>
      (key === "id" && typeof inner === "string") || key === "$schema" ? undefined : inner,
    );
    ajv.addSchema(parsed, name);
  }
  const validate = ajv.getSchema(schema);
  if (validate === undefined) throw new Error(`there is no schema ${schema}`);
  return validate(value) === true ? [] : validate.errors;
}

needs(["dpkg"], () => {
  let manifest: { readonly config: Descriptor; readonly layers: readonly Descriptor[] };
  let config: Config;
  beforeAll(() => {
    const file = join(BASE, "image.tar");
    writeFileSync(file, archiveOf(SVC));
    mkdirSync(LAYOUT);
    execFileSync("tar", ["-xf", file, "-C", LAYOUT]);
    rmSync(file);
    const index = JSON.parse(readFileSync(join(LAYOUT, "index.json"), "utf8"));
    manifest = JSON.parse(blob(index.manifests[0]).toString());
    config = JSON.parse(blob(manifest.config).toString());
  }, 120_000);

  test("its parts are valid by the schemas of OCI, and every digest is that of its bytes", () => {
    const layout: unknown = JSON.parse(readFileSync(join(LAYOUT, "oci-layout"), "utf8"));
    const index: unknown = JSON.parse(readFileSync(join(LAYOUT, "index.json"), "utf8"));
    expect(problemsOf("image-layout-schema.json", layout)).toEqual([]);
    expect(problemsOf("image-index-schema.json", index)).toEqual([]);
    expect(problemsOf("image-manifest-schema.json", manifest)).toEqual([]);
    expect(problemsOf("config-schema.json", config)).toEqual([]);
    expect(problemsOf("config-schema.json", { ...config, rootfs: {} })).not.toEqual([]);
    const sums = manifest.layers.map((layer) =>
      createHash("sha256")
        .update(gunzipSync(blob(layer)))
        .digest("hex"),
    );
    expect(config.rootfs.diff_ids).toEqual(sums.map((sum) => `sha256:${sum}`));
    const [docker] = JSON.parse(readFileSync(join(LAYOUT, "manifest.json"), "utf8"));
    for (const name of [docker.Config, ...docker.Layers])
      expect(statSync(join(LAYOUT, name)).isFile()).toBe(true);
  });

  test("two images of one program are the same file", () => {
    expect(archiveOf("/bin/true").equals(archiveOf("/bin/true"))).toBe(true);
  });

  needs(["overlay"], () => {
    test("as its user and with only its files, svc prints its version, indexes, answers and is healthy", () => {
      const root = join(BASE, "root");
      mkdirSync(root);
      for (const layer of manifest.layers)
        execFileSync("tar", ["-xpzf", "-", "--numeric-owner", "-C", root], { input: blob(layer) });
      for (const folder of ["proc", "dev"]) mkdirSync(join(root, folder));
      copyFileSync(join(ROOT, "src/base/self-check.ts"), join(root, "work/self-check.ts"));
      const { Env, Entrypoint, User, WorkingDir } = config.config;
      const [user = ""] = User.split(":");
      const inside = ["unshare", "--root", ".", "--wd", WorkingDir, "-S", user, "-G", user];
      const script = 'mount -t proc proc proc && mount --bind /dev dev && exec env -i "$@"';
      const start = ["--mount", "--pid", "--fork", "sh", "-c", script, "sh"];
      const run = (...args: readonly string[]): string =>
        execFileSync("unshare", [...start, ...Env, ...inside, ...Entrypoint, ...args], {
          cwd: root,
          encoding: "utf8",
        });
      expect(run("--version")).toBe(`${PRODUCT.version}\n`);
      run("index", ".");
      const answer = run("search", "compares every asset with its recorded checksum", "--json");
      expect(JSON.parse(answer)).toMatchObject({ results: [{ symbol: "selfCheck" }] });
      expect(run("doctor")).toMatch(/, 0 errors\.\n$/);
      expect(statSync(join(root, "var/cache/svc/data")).uid).toBe(65_532);
    }, 120_000);
  });
});
