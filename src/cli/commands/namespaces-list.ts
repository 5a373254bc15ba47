import type { NamespaceStatus } from "../../engine/api/status.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Lists every namespace with its number of indexed files and its sources, with the globs of `svc index --include` and `--exclude`. `svc status` shows more.",
  flags: { backend: BACKEND_FLAG, json: JSON_FLAG },
  examples: [{ run: "svc namespaces list", description: "List the namespaces of this machine." }],
  async run({ flags }, { app, io, signal }) {
    const engine = await app.engine();
    const namespaces = await engine.status({ detail: "summary", principal: app.owner, signal });
    if (flags.json) printJson(io, namespaces.map(shape));
    else if (namespaces.length === 0) io.err("Nothing is indexed yet. Run `svc index DIR`.\n");
    else {
      // Folders in a shared database may be on other machines.
      const isLocal = app.settings.backend === undefined;
      io.out(safeText(namespaces.map((one) => line(one, isLocal)).join("")));
    }
  },
});

function shape({ name, state, files, sources }: NamespaceStatus): Record<string, unknown> {
  return { name, state, files, sources: sources.map(sourceName) };
}

function line({ name, files, sources }: NamespaceStatus, isLocal: boolean): string {
  const shown = sources.map((source) => {
    const note = isLocal && !source.available ? " (not available)" : "";
    return sourceName(source) + filtersOf(source) + note;
  });
  return `${name}  ${files} ${files === 1 ? "file" : "files"}  ${shown.join(", ")}\n`;
}

/** ` (only src/**, without *.snap)`; empty without globs. */
function filtersOf({ include, exclude }: NamespaceStatus["sources"][number]): string {
  const parts = [
    ...(include === undefined ? [] : [`only ${include.join(" ")}`]),
    ...(exclude === undefined ? [] : [`without ${exclude.join(" ")}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function sourceName({ root, url, ref }: NamespaceStatus["sources"][number]): string {
  if (url === undefined) return root;
  return ref === undefined ? url : `${url}#${ref}`;
}
