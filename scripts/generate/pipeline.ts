// docs/images/pipeline.svg: the path of a file into the index and of an answer out of it, from the table of layers.
import type { Rule } from "../layers.ts";
import { svgArrow, svgBox, svgPicture, svgText, type Box, type Point } from "./svg.ts";

type Layers = Readonly<Record<string, Rule>>;

/** From left to right, then back: each passes its result to the next. */
const INWARD = {
  sources: "which roots",
  scan: "which files",
  parse: "syntax, names",
  chunk: "which pieces",
  index: "bytes on disk",
} as const;
const OUTWARD = {
  search: "best pieces",
  engine: "one answer",
  tools: "what to call",
  mcp: "JSON-RPC, MCP",
  transports: "stdio, HTTP",
} as const;
/** Layers next to the pipeline. */
const OTHER_FOLDERS: Readonly<Record<string, string>> = {
  extract: "text of documents",
  embed: "vectors, for index and search",
  backend: "where all is stored, by ports",
  postgres: "shared backend: dials",
  graph: "who uses what, for engine",
  scip: "what a compiler knows",
  providers: "git, models: dials",
  remote: "another server: dials",
  credentials: "who asks",
  web: "in the browser",
  clients: "editors' files",
  doctor: "checks everything",
  upgrade: "replaces the program",
  cli: "commands",
};
/** Layers used by all others, and the start of the program. */
const EVERYWHERE = ["base", "config", "app.ts", "main.ts", "boot.ts"];

/** Steps that the engine runs, because neither side knows the other. */
const BY_ENGINE: readonly string[] = ["chunk → index"];

const BOX = { width: 106, height: 52 };
const PITCH = 128;
const LEFT = 20;
/** Column of the rightmost box, counted from 0. */
const LAST_COLUMN = Object.keys(INWARD).length;
const ROWS = { inward: 40, outward: 164, others: 268 };

/** Throws if the table has a layer that is not in the picture, or lacks the dependency of an arrow. */
export function pipelinePicture(layers: Layers): string {
  const way = [...Object.keys(INWARD), ...Object.keys(OUTWARD)];
  const shown = new Set([...way, ...Object.keys(OTHER_FOLDERS), ...EVERYWHERE]);
  const lost = Object.keys(layers).find((name) => !shown.has(name));
  if (lost !== undefined) throw new Error(`scripts/generate/pipeline.ts does not show ${lost}`);
  for (const [at, name] of way.slice(1).entries()) {
    const before = way[at] ?? "";
    if (knows(layers, name, before) || knows(layers, before, name)) continue;
    const isByEngine = [name, before].every((one) => knows(layers, "engine", one));
    if (isByEngine && BY_ENGINE.includes(`${before} → ${name}`)) continue;
    throw new Error(`${before} hands nothing on to ${name}, by the table of layers`);
  }
  return svgPicture({ width: 780, height: 364, title: `svc: ${way.join(" → ")}` }, [
    ...row(INWARD, { row: ROWS.inward, at: (place) => place + 1 }),
    ...row(OUTWARD, { row: ROWS.outward, at: (place) => LAST_COLUMN - place }),
    ...disk("your folders", { x: LEFT, y: ROWS.inward }),
    ...arrows(),
    svgText({ x: LEFT, y: 26 }, "A file goes in, when it changes", { style: "small" }),
    svgText({ x: LEFT, y: 150 }, "An answer comes out, when it is asked for", { style: "small" }),
    svgText({ x: LEFT, y: 246 }, "Next to them", { style: "small" }),
    ...otherFolders(),
  ]);
}

function knows(layers: Layers, name: string, other: string): boolean {
  const { values = [], types = [] } = layers[name] ?? {};
  return [...values, ...types].some((one) => one === other || one.startsWith(`${other}/`));
}

function boxAt(column: number, y: number): Box {
  return { x: LEFT + column * PITCH, y, ...BOX };
}

function row(
  layers: Readonly<Record<string, string>>,
  { row: y, at }: { readonly row: number; readonly at: (place: number) => number },
): readonly string[] {
  return Object.entries(layers).flatMap(([name, about], place) => {
    const box = boxAt(at(place), y);
    const middle = box.x + box.width / 2;
    return [
      svgBox(box, "box"),
      svgText({ x: middle, y: y + 23 }, name, { style: "strong", anchor: "middle" }),
      svgText({ x: middle, y: y + 40 }, about, { style: "small", anchor: "middle" }),
    ];
  });
}

function disk(name: string, place: Point): readonly string[] {
  const middle = { x: place.x + BOX.width / 2, y: place.y + 31 };
  return [svgBox({ ...place, ...BOX }, "disk"), svgText(middle, name, { anchor: "middle" })];
}

function arrows(): readonly string[] {
  const gap = PITCH - BOX.width;
  const firstOutward = LAST_COLUMN + 1 - Object.keys(OUTWARD).length;
  return Array.from({ length: LAST_COLUMN }, (_, column) => column)
    .flatMap((column) => {
      const right = LEFT + column * PITCH + BOX.width;
      const [inward, outward] = [ROWS.inward + BOX.height / 2, ROWS.outward + BOX.height / 2];
      const forth = svgArrow({ x: right + 3, y: inward }, { x: right + gap - 2, y: inward });
      if (column < firstOutward) return [forth];
      return [forth, svgArrow({ x: right + gap - 3, y: outward }, { x: right + 2, y: outward })];
    })
    .concat(turn());
}

/** Down from the index to the search. */
function turn(): string {
  const x = LEFT + LAST_COLUMN * PITCH + BOX.width / 2;
  return svgArrow({ x, y: ROWS.inward + BOX.height + 3 }, { x, y: ROWS.outward - 2 });
}

/** Two columns of lines, and one line below. */
function otherFolders(): readonly string[] {
  const lines = Object.entries(OTHER_FOLDERS).flatMap(([name, about], at) =>
    line(name, about, { x: LEFT + (at % 2) * 380, y: ROWS.others + Math.floor(at / 2) * 20 }),
  );
  const last = { x: LEFT, y: ROWS.others + Math.ceil(Object.keys(OTHER_FOLDERS).length / 2) * 20 };
  return [...lines, ...line("under all", EVERYWHERE.join(", "), last)];
}

function line(name: string, about: string, { x, y }: Point): readonly string[] {
  return [
    svgText({ x, y }, name, { style: "strong" }),
    svgText({ x: x + 90, y }, about, { style: "small" }),
  ];
}
