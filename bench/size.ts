// The size of the program, and of the part that is not Node, next to the Node that it was made from.
// docs/decisions/0038-release.md explains why it is not smaller.
import { readFileSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { comparedWith, type Report, type Row } from "./report.ts";
import { SVC } from "./workspace.ts";

export async function size(): Promise<Report> {
  const program = readFileSync(SVC);
  // A release is compressed at level 9, which makes it a tenth of a percent smaller and takes twice as long.
  const compressed = await promisify(gzip)(program, { level: 6 });
  const node = row("bare node", statSync(process.execPath).size);
  return {
    bench: "size",
    corpus: "dist/svc",
    rows: [
      node,
      comparedWith(row("dist/svc", program.length), node),
      comparedWith(row("dist/svc, compressed", compressed.length), node),
    ],
    facts: [],
  };
}

function row(name: string, sizeBytes: number): Row {
  return { name, unit: "MB", samples: [sizeBytes / 1e6] };
}
