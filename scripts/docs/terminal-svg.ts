// A command and its output as a picture of a terminal.
import { escaped, svgPicture } from "../generate/svg.ts";

const COLUMNS = 100;
const TAB_COLUMNS = 8;
const COLUMN_PX = 7.8;
const LINE_PX = 19;
const MARGIN_PX = 16;
/** From the top of a line to the base line of its text. */
const BASE_LINE_PX = 14;

// oxlint-disable-next-line no-control-regex -- the escape character begins a colour code
const SGR = /\u001b\[([\d;]*)m/;
const SGR_STYLES: ReadonlyMap<string, string> = new Map([
  ["1", "bold"],
  ["2", "dim"],
  ["31", "red"],
  ["32", "green"],
  ["33", "yellow"],
  ["35", "magenta"],
  ["36", "cyan"],
]);
/** The codes that end styles, with the styles they end. */
const SGR_ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["0", [...SGR_STYLES.values()]],
  ["22", ["bold", "dim"]],
  ["39", ["red", "green", "yellow", "magenta", "cyan"]],
]);

const STYLE = `text { font: 13px ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; white-space: pre; fill: #1f2328; }
.screen { fill: #f6f8fa; stroke: #d1d9e0; }
.bold { font-weight: 600; }
.dim { fill: #59636e; }
.red { fill: #cf222e; }
.green { fill: #1a7f37; }
.yellow { fill: #9a6700; }
.magenta { fill: #8250df; }
.cyan { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .screen { fill: #151b23; stroke: #3d444d; }
  .dim { fill: #9198a1; }
  .red { fill: #ff7b72; }
  .green { fill: #3fb950; }
  .yellow { fill: #d29922; }
  .magenta { fill: #bc8cff; }
  .cyan { fill: #4493f8; }
}`;

/** A run of characters with one style. */
interface Span {
  readonly text: string;
  /** Names of styles, such as `bold green`. */
  readonly style: string;
}

/**
 * The picture of a terminal after one command. It takes the light or dark colours of the reader's system.
 *
 * @param command As typed after the prompt, on one line.
 * @param output The output of the command, with the colour codes of a terminal (SGR). Throws for other escape sequences.
 */
export function terminalSvg(command: string, output: string): string {
  const prompt = [
    { text: "$ ", style: "dim" },
    { text: command, style: "bold" },
  ];
  const lines = [prompt, ...linesOf(output)].map((line) => cut(line));
  const size = {
    width: Math.round(COLUMNS * COLUMN_PX) + 2 * MARGIN_PX,
    height: lines.length * LINE_PX + 2 * MARGIN_PX,
  };
  return svgPicture(
    { ...size, title: `A terminal with the command ${command} and its output` },
    [
      `<rect x="0.5" y="0.5" width="${size.width - 1}" height="${size.height - 1}" rx="8" class="screen"/>`,
      ...lines.map((line, at) => lineElement(line, MARGIN_PX + at * LINE_PX + BASE_LINE_PX)),
    ],
    STYLE,
  );
}

/** The lines of the output, without the line end of the last one. A style continues after the end of a line. */
function linesOf(output: string): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  const active = new Set<string>();
  for (const [at, part] of output.replace(/\n$/, "").split(SGR).entries()) {
    if (at % 2 === 1) {
      for (const code of part.split(";")) applyCode(active, code === "" ? "0" : code);
      continue;
    }
    if (part.includes("\u001b"))
      throw new Error("the output has an escape sequence that is not a colour");
    for (const [row, text] of part.split("\n").entries()) {
      if (row > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ text, style: [...active].join(" ") });
    }
  }
  return lines;
}

function applyCode(active: Set<string>, code: string): void {
  const style = SGR_STYLES.get(code);
  const ended = SGR_ENDS.get(code);
  if (style !== undefined) active.add(style);
  else if (ended === undefined) throw new Error(`the output has the unknown colour code ${code}`);
  for (const one of ended ?? []) active.delete(one);
}

/** The line cut to the width of the screen; `…` replaces the rest. */
function cut(line: readonly Span[]): readonly Span[] {
  const spans = withoutTabs(line);
  const columns = spans.reduce((sum, { text }) => sum + text.length, 0);
  if (columns <= COLUMNS) return spans;
  let room = COLUMNS - 1;
  const shown = spans.map(({ text, style }) => {
    const kept = text.slice(0, room);
    room -= kept.length;
    return { text: kept, style };
  });
  return [...shown.filter(({ text }) => text !== ""), { text: "…", style: "" }];
}

/** Each tab as blanks up to the next stop. */
function withoutTabs(line: readonly Span[]): readonly Span[] {
  let column = 0;
  return line.map(({ text, style }) => {
    let shown = "";
    for (const character of text) {
      const added =
        character === "\t" ? " ".repeat(TAB_COLUMNS - (column % TAB_COLUMNS)) : character;
      shown += added;
      column += added.length;
    }
    return { text: shown, style };
  });
}

function lineElement(line: readonly Span[], y: number): string {
  const spans = line.map(({ text, style }) =>
    style === "" ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`,
  );
  return `<text x="${MARGIN_PX}" y="${y}" xml:space="preserve">${spans.join("")}</text>`;
}
