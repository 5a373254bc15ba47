// A plot of the times of calls, with the index runs, as SVG elements.

import {
  AXIS_BOTTOM,
  AXIS_TOP,
  heightOf,
  plotLabel,
  type PlottedCall,
  type PlottedRun,
} from "./call-times.ts";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 720;
const HEIGHT = AXIS_BOTTOM + 28;
const LEFT = 56;
const RIGHT = 12;
/** Lines of the vertical axis, in milliseconds: it is logarithmic, because calls take from 1 ms to 30 s. */
const GRID_MS = [1, 10, 100, 1000, 10_000];
const MINUTE_MS = 60_000;

/** Returns the plot from the first event until `now`; the label says in words what it shows. */
export function timesPlot(
  calls: readonly PlottedCall[],
  runs: readonly PlottedRun[],
  now: number,
): SVGElement {
  const first = Math.min(now - MINUTE_MS, ...calls.map(({ at }) => at));
  const x = (at: number): number => LEFT + ((at - first) / (now - first)) * (WIDTH - LEFT - RIGHT);
  const shownRuns = runs.filter(({ at }) => at >= first && at <= now);
  const plot = shape("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": plotLabel(calls, shownRuns.length),
    class: "plot",
  });
  plot.append(
    ...GRID_MS.flatMap(gridLine),
    text(timeText(first), { x: LEFT, y: HEIGHT - 8, class: "tick" }),
    text(timeText(now), { x: WIDTH - RIGHT, y: HEIGHT - 8, class: "tick end" }),
    ...shownRuns.map((run) => runMark(run, x(run.at))),
    ...calls.map((call) => callMark(call, x(call.at))),
  );
  return plot;
}

function gridLine(ms: number): readonly SVGElement[] {
  const y = heightOf(ms);
  return [
    shape("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y, class: "grid" }),
    text(ms < 1000 ? `${ms} ms` : `${ms / 1000} s`, { x: LEFT - 6, y: y + 4, class: "tick end" }),
  ];
}

/** A circle; a cross for a call that failed, because colour is not enough. */
function callMark({ at, ms, tool, outcome }: PlottedCall, x: number): SVGElement {
  const y = heightOf(ms);
  const mark =
    outcome === "ok"
      ? shape("circle", { cx: x, cy: y, r: 3, class: "call" })
      : shape("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, class: "call failed" });
  mark.append(text(`${timeText(at)} ${tool}: ${ms} ms, ${outcome}`, {}, "title"));
  return mark;
}

function runMark({ at, namespace, generation }: PlottedRun, x: number): SVGElement {
  const line = shape("line", { x1: x, x2: x, y1: AXIS_TOP, y2: AXIS_BOTTOM, class: "run" });
  const words = `${timeText(at)} ${namespace} indexed, generation ${generation}`;
  line.append(text(words, {}, "title"));
  return line;
}

type ShapeAttributes = Readonly<Record<string, string | number>>;

function shape(
  tag: "svg" | "line" | "circle" | "path" | "text" | "title",
  attributes: ShapeAttributes,
): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (made instanceof SVGElement) return made;
  throw new Error(`${tag} is no element of SVG`);
}

function text(
  words: string,
  attributes: ShapeAttributes,
  tag: "text" | "title" = "text",
): SVGElement {
  const made = shape(tag, attributes);
  made.textContent = words;
  return made;
}

function timeText(at: number): string {
  return new Date(at).toLocaleTimeString();
}
