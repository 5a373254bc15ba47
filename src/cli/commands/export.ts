import { counted } from "../../base/amounts.ts";
import { resolve } from "node:path";

import { createOutputFile, type OutputFile } from "../../base/output-file.ts";
import type { ExportResult } from "../../engine/api/export.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import type { Io } from "../io.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

const STANDARD_OUTPUT = "-";

export const command = defineCommand({
  description:
    "Writes the definitions and exact references of an indexed folder or repository as a SCIP index, a format of Sourcegraph that other tools read. Indexes changed files first. Leaves out references by name.",
  args: [
    {
      name: "path",
      suggests: "folder",
      description: "Folder or URL of the source (default: the working directory).",
    },
  ],
  flags: {
    scip: {
      type: "string",
      required: true,
      placeholder: "FILE",
      description: "Write the SCIP index to FILE; `-` is standard output.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Namespace of the source." },
    ref: {
      type: "string",
      placeholder: "REF",
      description: "Branch, tag or commit with which the repository was indexed.",
    },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc export --scip index.scip", description: "Write the graph of this project." },
    {
      run: "svc export ~/src/project --scip - | scip lint /dev/stdin",
      description: "Pass it to another tool.",
    },
  ],
  async run({ args, flags }, { app, io, signal }) {
    const engine = await app.engine();
    const output =
      flags.scip === STANDARD_OUTPUT ? undefined : createOutputFile(resolve(flags.scip));
    let result: ExportResult;
    try {
      result = await engine.exportScip({
        source: args.path ?? ".",
        ref: flags.ref,
        namespace: flags.namespace,
        principal: app.owner,
        signal,
        write: writerTo(io, output),
      });
    } catch (thrown) {
      output?.discard();
      throw thrown;
    }
    output?.finish();
    report(io, result, { isJson: flags.json, hasFile: output !== undefined });
  },
});

function writerTo(io: Io, output: OutputFile | undefined): (bytes: Uint8Array) => Promise<void> {
  if (output !== undefined) return async (bytes) => output.write(bytes);
  return async (bytes) => {
    io.outBytes(bytes);
    // A slow reader would otherwise leave the whole index in memory.
    await io.flush();
  };
}

/** With the index on standard output, the report goes to standard error. */
function report(
  io: Io,
  result: ExportResult,
  { isJson, hasFile }: { readonly isJson: boolean; readonly hasFile: boolean },
): void {
  const { namespace, documents, definitions, references, unplaced, changed } = result;
  for (const path of changed) {
    io.err(safeText(`Warning: ${path} has changed since it was indexed and is left out.\n`));
  }
  if (isJson && hasFile) {
    printJson(io, { namespace, documents, definitions, references, unplaced, changed });
    return;
  }
  const say = hasFile ? io.out : io.err;
  say(
    safeText(
      `Exported ${counted(documents, "file")} of "${namespace}": ${counted(definitions, "definition")}, ${counted(references, "reference")}.\n`,
    ),
  );
}
