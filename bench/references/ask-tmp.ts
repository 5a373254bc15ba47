import { readFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";
import { sourcesOf } from "../growth/tree.ts";
import { authorized } from "../../test/helpers/authorized.ts";
import { runIndex } from "../../test/helpers/run-index.ts";
const [root = "", ...places] = process.argv.slice(2);
const dataDirectory = `/tmp/native/ask/${root.split("/").at(-1)}`;
const fresh = !existsSync(dataDirectory) || process.env["FRESH"];
mkdirSync(dataDirectory, { recursive: true });
const { namespace, sources } = await sourcesOf(dataDirectory, root);
if (fresh) await runIndex({ dataDirectory, namespace, sources, rebuild: true, waitMs: 0 });
const backend = new EmbeddedBackend(dataDirectory);
const reader = await backend.reader(authorized(namespace));
const graph = await ReferenceGraph.open(reader, (path) => { try { return readFileSync(join(root, path), "utf8"); } catch { return undefined; } });
for (const place of places) {
  const [path = "", line = ""] = place.split(":");
  if (line === "") { const sc: any = await (reader as any).scopeOf(path); for (const [n, x] of sc.symbols.entries()) console.log(n, x.kind, x.qualifiedName, x.nameLine, x.access, JSON.stringify(sc.types[n])); continue; }
  const scope: any = await (reader as any).scopeOf?.(path) ?? undefined;
  console.log(`== ${place}: ${readFileSync(join(root, path), "utf8").split("\n")[Number(line) - 1]}`);
  const { uses: all } = await reader.referencesOf(path); const scope2: any = await (reader as any).scopeOf(path);
  const found = await graph.usesFromFile(path);
  for (const use of all.filter((u: any) => u.line === Number(line))) {
    const r = found.filter((u: any) => u.line === use.line && u.name === use.name);
    console.log(`   ${use.name} [${use.role}] receiver=${JSON.stringify(use.receiver)} binding=${use.binding} target=${use.target} owner=${use.owner}:${scope2.symbols[use.owner]?.qualifiedName} -> ${r.map((x: any) => x.certainty + " " + x.targets.map((t: any) => `${t.path}:${t.nameLine}`).join(",")).join(" | ")}`);
  }
}
backend.close();
