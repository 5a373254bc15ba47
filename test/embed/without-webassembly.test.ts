import { execFileSync } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

import { loadKernel } from "../../src/embed/kernel.ts";
import { Pooler } from "../../src/embed/pooler.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import { VectorArena } from "../../src/embed/vector-arena.ts";
import { vectorBytes } from "../../src/embed/quantize.ts";
import { tree } from "../helpers/tree.ts";
import { svceBytes } from "./helpers.ts";

const SCRIPT = `
import { readFileSync } from "node:fs";
import { loadKernel } from "./kernel.ts";
import { Pooler } from "./pooler.ts";
import { readEmbeddingTable } from "./read-embedding-table.ts";
import { VectorArena } from "./vector-arena.ts";
import { vectorBytes } from "./quantize.ts";
const results = (${results.toString()})(
  { loadKernel, Pooler, readEmbeddingTable, VectorArena, vectorBytes }, readFileSync(process.argv[2]));
console.log(JSON.stringify(results));`;

interface Layer {
  readonly loadKernel: typeof loadKernel;
  readonly Pooler: typeof Pooler;
  readonly readEmbeddingTable: typeof readEmbeddingTable;
  readonly VectorArena: typeof VectorArena;
  readonly vectorBytes: typeof vectorBytes;
}

/**
 * Returns vectors from before and after the pooler switches to the kernel, and their dot products with a
 * query. Runs in another process too.
 */
function results(layer: Layer, bytes: Uint8Array): object {
  const table = layer.readEmbeddingTable(bytes);
  const pooler = new layer.Pooler(table);
  const width = layer.vectorBytes(table.dimensions);
  const vectors = new Uint8Array(200 * width);
  for (let at = 0; at < 200; at += 1) {
    for (let row = 0; row <= at % 7; row += 1) pooler.count((row * at) % table.matrix.rows);
    pooler.finish([at % 3], vectors, at * width);
  }
  pooler.count(1);
  const query = pooler.finishQuery();
  const block = new layer.VectorArena(table.dimensions).vectors(200);
  block.fill((to) => to.set(vectors));
  const dots = new Int32Array(200);
  block.dots(query, dots);
  const some = new Int32Array(3);
  block.dotsOf(query, Uint32Array.of(7, 199, 0), some);
  return {
    hasKernel: layer.loadKernel() !== undefined,
    dots: [...dots],
    some: [...some],
    query: [...query],
    vectors: [...vectors],
  };
}

test("Node without WebAssembly computes the same vectors and dot products", async () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
  const table = svceBytes({ words, dimensions: 48, bits: 4 });
  const place = tree({ "table.svce": table });
  await build({
    stdin: {
      contents: SCRIPT,
      loader: "ts",
      resolveDir: path.join(import.meta.dirname, "../../src/embed"),
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: path.join(place.path, "script.cjs"),
  });
  const script = path.join(place.path, "script.cjs");
  const output = execFileSync(
    process.execPath,
    ["--jitless", script, path.join(place.path, "table.svce")],
    { encoding: "utf8" },
  );
  place.dispose();
  const here = results({ loadKernel, Pooler, readEmbeddingTable, VectorArena, vectorBytes }, table);
  expect(here).toMatchObject({ hasKernel: true });
  expect(JSON.parse(output)).toEqual({ ...here, hasKernel: false });
});
