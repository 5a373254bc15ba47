// server.json: the description of svc in the MCP registry. It names the other packages of this release.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { released, type Channel } from "./channel.ts";
import type { Product } from "./product.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const STDIO = { transport: { type: "stdio" } } as const;

const ENVIRONMENT = [
  {
    name: "SERVICE_TOKEN",
    description: "Access token of svc; not needed if one is saved on this machine.",
    isRequired: false,
    isSecret: true,
  },
];

const ARGUMENTS = [
  { type: "positional", value: "mcp" },
  { type: "named", name: "--stdio" },
];

/** The description, with the bundles and images that are in the folder. */
export function serverDescription(folder: string, product: Product): object {
  const { name, version, description, homepage, mcpName, downloads, image } = product;
  const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const bundles = files
    .filter((file) => file.endsWith(".mcpb"))
    .map((file) => ({
      registryType: "mcpb",
      identifier: `${downloads}/${file}`,
      version,
      fileSha256: createHash("sha256")
        .update(readFileSync(path.join(folder, file)))
        .digest("hex"),
      ...STDIO,
    }));
  const hasImage = files.some((file) => file.endsWith(".oci.tar"));
  const called = { packageArguments: ARGUMENTS, environmentVariables: ENVIRONMENT, ...STDIO };
  return {
    $schema: SCHEMA,
    name: mcpName,
    title: name,
    description,
    version,
    websiteUrl: homepage,
    packages: [
      { registryType: "npm", identifier: name, version, runtimeHint: "npx", ...called },
      ...(hasImage ? [{ registryType: "oci", identifier: `${image}:${version}`, ...called }] : []),
      ...bundles,
    ],
  };
}

/** After the bundles and images. */
export const registryChannel: Channel = {
  name: "mcp-registry",
  make({ product, folder }) {
    const text = `${JSON.stringify(serverDescription(folder, product), null, 2)}\n`;
    const tried = "not sent to a registry";
    return { files: [released(folder, "server.json", Buffer.from(text), { ran: false, tried })] };
  },
};
