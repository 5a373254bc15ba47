import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { installLinks } from "../../../scripts/generate/install-links.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ENTRY = { command: "svc", args: ["mcp", "--stdio", "--root", "${workspaceFolder}"] };

function read(file: string): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(join(ROOT, "examples", file), "utf8"));
}

test("each link holds the entry of the examples, in the form of its editor", () => {
  const [cursor, vscode] = installLinks();
  for (const url of [cursor?.web, cursor?.direct]) {
    const query = new URL(url ?? "").searchParams;
    const config = Buffer.from(query.get("config") ?? "", "base64").toString();
    expect([query.get("name"), JSON.parse(config)]).toEqual(["svc", ENTRY]);
    expect(read("cursor.mcp.json")["mcpServers"]?.["svc"]).toEqual(ENTRY);
  }
  const { searchParams } = new URL(vscode?.web ?? "");
  expect(JSON.parse(searchParams.get("config") ?? "")).toEqual({ type: "stdio", ...ENTRY });
  const direct = decodeURIComponent((vscode?.direct ?? "").replace("vscode:mcp/install?", ""));
  expect(JSON.parse(direct)).toEqual({ name: "svc", type: "stdio", ...ENTRY });
  expect(read("vscode.mcp.json")["servers"]?.["svc"]).toEqual({ type: "stdio", ...ENTRY });
});

test("README and the page of the clients have these links", () => {
  for (const page of ["README.md", "docs/clients.md"]) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const { web } of installLinks()) expect(text).toContain(`](${web})`);
  }
});
