// Line charts in the style of the other pictures of docs/images.
import { svgPicture, svgText } from "../../scripts/generate/svg.ts";

export interface Axis {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** Logarithmic: equal distances are equal factors. */
  readonly isLog: boolean;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

export interface Line {
  readonly name: string;
  readonly color: Color;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Panel {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
  /** A limit on the y axis, with its name at one end of its line. */
  readonly limit?: Limit;
}

export interface Limit {
  readonly at: number;
  readonly text: string;
  readonly textAt: "left" | "right";
}

export type Color = "first" | "second" | "third" | "fourth";

const WIDTH = 380;
const HEIGHT = 300;
/** Margins of the panel around the lines. */
const SPACE = { left: 56, right: 34, top: 52, bottom: 44 };
const STYLE = `text { font-family: ui-sans-serif, system-ui, "Segoe UI", sans-serif; font-size: 13px; fill: #1f2328; }
.small { font-size: 11px; fill: #59636e; }
.strong { font-weight: 600; }
.grid { stroke: #d1d9e0; fill: none; }
.limit { stroke: #cf222e; fill: none; stroke-dasharray: 4 3; }
.first, .second, .third, .fourth { fill: none; stroke-width: 2; stroke-linejoin: round; }
.first { stroke: #0969da; }
.second { stroke: #bc4c00; }
.third { stroke: #8250df; }
.fourth { stroke: #1a7f37; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .grid { stroke: #3d444d; }
  .limit { stroke: #f85149; }
  .first { stroke: #4493f8; }
  .second { stroke: #db6d28; }
  .third { stroke: #ab7df8; }
  .fourth { stroke: #3fb950; }
}`;

/** Panels next to each other. */
export function linePlot(title: string, panels: readonly Panel[]): string {
  const elements = panels.flatMap((panel, at) => drawn(panel, at * WIDTH));
  return svgPicture({ width: panels.length * WIDTH, height: HEIGHT, title }, elements, STYLE);
}

function drawn(panel: Panel, left: number): readonly string[] {
  const area = {
    left: left + SPACE.left,
    right: left + WIDTH - SPACE.right,
    top: SPACE.top,
    bottom: HEIGHT - SPACE.bottom,
  };
  const x = scale(panel.x, area.left, area.right);
  const y = scale(panel.y, area.bottom, area.top);
  const middle = (area.left + area.right) / 2;
  return [
    svgText({ x: left + 12, y: 20 }, panel.title, { style: "strong" }),
    ...legend(panel.lines, left + 12),
    ...panel.y.ticks.flatMap(({ at, text }) => [
      path(
        [
          [area.left, y(at)],
          [area.right, y(at)],
        ],
        "grid",
      ),
      svgText({ x: area.left - 6, y: y(at) + 4 }, text, { style: "small", anchor: "end" }),
    ]),
    ...panel.x.ticks.map(({ at, text }) =>
      svgText({ x: x(at), y: area.bottom + 16 }, text, { style: "small", anchor: "middle" }),
    ),
    svgText({ x: middle, y: area.bottom + 34 }, panel.x.label, {
      style: "small",
      anchor: "middle",
    }),
    ...limit(panel, { ...area, y }),
    ...panel.lines.map(({ points, color }) =>
      path(
        points.map((point) => [x(point.x), y(point.y)]),
        color,
      ),
    ),
  ];
}

/** The legend: a short line in the colour of each line with its name, in one row. */
function legend(lines: readonly Line[], left: number): readonly string[] {
  let x = left;
  return lines.flatMap(({ name, color }) => {
    const from = x;
    x += 30 + name.length * 6.2;
    return [
      path(
        [
          [from, 34],
          [from + 14, 34],
        ],
        color,
      ),
      svgText({ x: from + 18, y: 38 }, name, { style: "small" }),
    ];
  });
}

function limit(
  { limit: given }: Panel,
  { left, right, y }: { readonly left: number; readonly right: number; readonly y: Scale },
): readonly string[] {
  if (given === undefined) return [];
  const at = y(given.at);
  const anchor = given.textAt === "left" ? "start" : "end";
  const x = given.textAt === "left" ? left + 4 : right;
  return [
    path(
      [
        [left, at],
        [right, at],
      ],
      "limit",
    ),
    svgText({ x, y: at - 4 }, given.text, { style: "small", anchor }),
  ];
}

/** Maps a value of an axis, clipped at its ends, to a position in the picture. */
type Scale = (value: number) => number;

function scale({ min, max, isLog }: Axis, from: number, to: number): Scale {
  const position = isLog ? Math.log : (value: number) => value;
  return (value) => {
    const cut = Math.min(max, Math.max(min, value));
    const share = (position(cut) - position(min)) / (position(max) - position(min));
    return rounded(from + share * (to - from));
  };
}

function path(points: readonly (readonly [number, number])[], style: string): string {
  const way = points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join("L");
  return `<path d="M${way}" class="${style}"/>`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
