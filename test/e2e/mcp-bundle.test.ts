// MCP bundles and server.json: valid by their published schemas, and the server in a bundle answers as a host starts it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Ajv } from "ajv";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bundleArchive, bundleFile } from "../../scripts/release/channels/mcpb.ts";
import { readProduct } from "../../scripts/release/channels/product.ts";
import { serverDescription } from "../../scripts/release/channels/server-json.ts";
import { isHost } from "../../scripts/release/executables.ts";
import { makeNpmPackage } from "../../scripts/release/npm-package.ts";
import { TARGETS } from "../../scripts/release/targets.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/svc");
const FIXTURES = join(ROOT, "test/scripts/release/channels/fixtures");
const BASE = mkdtempSync(join(tmpdir(), "svc-bundle-"));
const PROJECT = join(BASE, "project");
const PRODUCT = readProduct();
const ENV = { HOME: join(BASE, "home"), PATH: process.env["PATH"] ?? "" };
let token = "";
beforeAll(async () => {
  for (const folder of [PROJECT, ENV.HOME]) mkdirSync(folder);
  writeFileSync(
    join(PROJECT, "orbit.ts"),
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
      "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
  );
  const env = { ...ENV, SERVICE_DATA_KEY_FILE: join(BASE, "data.key") };
  const create = ["auth", "token", "create", "--name", "bundle", "--json"];
  token = JSON.parse(execFileSync(SVC, create, { env, encoding: "utf8" })).token;
  await makeNpmPackage(join(BASE, "npm"));
}, 120_000);
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

interface Manifest {
  readonly server: {
    readonly entry_point: string;
    readonly mcp_config: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
  };
  readonly user_config: Readonly<Record<string, { readonly sensitive?: boolean }>>;
}

function problemsOf(schema: string, value: unknown): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(readFileSync(join(FIXTURES, schema), "utf8")));
  return validate(value) ? [] : validate.errors;
}

/** Unpacks a bundle and starts its server with the user's values, as a host does. */
async function answerOf(archive: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(BASE, "unpacked-"));
  for (const [name, bytes] of Object.entries(unzipSync(archive))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    // A zip keeps the rights of files in its directory, which fflate does not return.
    writeFileSync(join(folder, name), bytes, { mode: 0o755 });
  }
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  expect(problemsOf("mcpb/mcpb-manifest-v0.4.schema.json", manifest)).toEqual([]);
  expect(manifest.user_config["token"]?.sensitive).toBe(true);
  const { command, args, env } = manifest.server.mcp_config;
  const filled = (text: string): string =>
    text
      .replace("${__dirname}", folder)
      .replace("${user_config.folder}", PROJECT)
      .replace("${user_config.token}", token);
  const variables = Object.entries(env).map(([name, value]) => [name, filled(value)]);
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: filled(command),
      args: args.map(filled),
      env: {
        ...ENV,
        SERVICE_DATA_KEY_FILE: join(BASE, "data.key"),
        ...Object.fromEntries(variables),
      },
      cwd: BASE,
      stderr: "ignore",
    }),
  );
  const question = { query: "where does a satellite keep its place" };
  const { content } = await client.callTool({ name: "search_context", arguments: question });
  await client.close();
  return JSON.stringify(content);
}

test("the bundle of this platform has the executable, which may run, and answers", async () => {
  const target = TARGETS.find(isHost);
  if (target === undefined) throw new Error("nothing is released for this platform");
  const program = { target, executable: SVC, notices: "of others\n" };
  const archive = bundleArchive(program, PRODUCT, 0);
  expect(modeOf(archive, "server/svc").toString(8)).toBe("100755");
  expect(modeOf(archive, "LICENSE").toString(8)).toBe("100644");
  expect(await answerOf(archive)).toContain("orbit.ts:");
  expect(bundleFile(program, PRODUCT)).toBe(`svc-${PRODUCT.version}-${target.id}.mcpb`);
});

test("the bundle for Node answers on any platform", async () => {
  expect(await answerOf(bundleArchive({ npmPackage: join(BASE, "npm") }, PRODUCT))).toContain(
    "orbit.ts:",
  );
});

test("the same inputs make the same bundle, in any time zone", () => {
  const first = bundleIn("Pacific/Auckland");
  expect(first.length).toBeGreaterThan(1000);
  expect(first.equals(bundleIn("America/Lima"))).toBe(true);
});

test("server.json is valid and names the files of the release with their sums", () => {
  const folder = join(BASE, "release");
  mkdirSync(folder);
  const file = `svc-${PRODUCT.version}-linux-x64.mcpb`;
  writeFileSync(join(folder, file), "a bundle");
  writeFileSync(join(folder, `svc-${PRODUCT.version}-linux-x64.oci.tar`), "");
  const description = serverDescription(folder, PRODUCT);
  expect(problemsOf("mcp-registry/server.schema.json", description)).toEqual([]);
  expect(
    problemsOf("mcp-registry/server.schema.json", { ...description, name: "svc" }),
  ).not.toEqual([]);
  const sum = createHash("sha256").update("a bundle").digest("hex");
  expect(description).toMatchObject({
    name: PRODUCT.mcpName,
    packages: [
      { registryType: "npm", version: PRODUCT.version },
      { registryType: "oci", identifier: expect.stringMatching(/:\d+\.\d+\.\d+$/) },
      { registryType: "mcpb", fileSha256: sum, identifier: `${PRODUCT.downloads}/${file}` },
    ],
  });
});

test("the npm package carries the name of the registry, which checks it", () => {
  const { mcpName } = JSON.parse(readFileSync(join(BASE, "npm/package.json"), "utf8"));
  expect(mcpName).toBe(PRODUCT.mcpName);
});

/** The rights of a file in a zip: the upper half of a field of its entry in the directory at the end. */
function modeOf(archive: Uint8Array, name: string): number {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const entry = bytes.lastIndexOf(name) - 46;
  expect(bytes.readUInt32LE(entry)).toBe(0x02014b50);
  return bytes.readUInt32LE(entry + 38) >>> 16;
}

/** The bundle of a part of the npm package, made in this time zone. */
function bundleIn(zone: string): Buffer {
  const script =
    `import { bundleArchive } from "${ROOT}/scripts/release/channels/mcpb.ts";` +
    `import { readProduct } from "${ROOT}/scripts/release/channels/product.ts";` +
    `process.stdout.write(bundleArchive({ npmPackage: "${BASE}/npm/bin" }, readProduct()));`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: ROOT,
    env: { ...process.env, TZ: zone },
  });
}
