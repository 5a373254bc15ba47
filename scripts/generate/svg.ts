// Pictures as text. They use the colours of the reader's system, light or dark, and embed no font.

const STYLE = `text { font-family: ui-sans-serif, system-ui, "Segoe UI", sans-serif; font-size: 13px; fill: #1f2328; }
.small { font-size: 11px; fill: #59636e; }
.strong { font-weight: 600; }
.box { fill: #f6f8fa; stroke: #8c959f; }
.disk { fill: #ddf4ff; stroke: #54aeff; }
.bar { fill: #8c959f; }
.own { fill: #0969da; }
.line { stroke: #59636e; fill: none; stroke-width: 1.5; }
.tip { fill: #59636e; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .box { fill: #151b23; stroke: #656c76; }
  .disk { fill: #0c2d4d; stroke: #1f6feb; }
  .bar { fill: #656c76; }
  .own { fill: #4493f8; }
  .line { stroke: #9198a1; }
  .tip { fill: #9198a1; }
}`;

interface Canvas {
  readonly width: number;
  readonly height: number;
  /** The description for readers who do not see the picture. */
  readonly title: string;
}

/** @param style The style sheet. */
export function svgPicture(
  { width, height, title }: Canvas,
  elements: readonly string[],
  style = STYLE,
): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    ...elements,
    "</svg>",
  ].join("\n")}\n`;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

type Anchor = "start" | "middle" | "end";

export function svgText(
  { x, y }: Point,
  text: string,
  { style = "", anchor = "start" }: { readonly style?: string; readonly anchor?: Anchor } = {},
): string {
  const look = style === "" ? "" : ` class="${style}"`;
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${look}>${escaped(text)}</text>`;
}

export function svgBox({ x, y, width, height }: Box, style: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" class="${style}"/>`;
}

/** A line with a tip at its end, along one axis. */
export function svgArrow(from: Point, to: Point): string {
  const [dx, dy] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  const base = { x: to.x - 7 * dx, y: to.y - 7 * dy };
  const corners = [
    to,
    { x: base.x + 4 * dy, y: base.y + 4 * dx },
    { x: base.x - 4 * dy, y: base.y - 4 * dx },
  ];
  const points = corners.map(({ x, y }) => `${x},${y}`).join(" ");
  return `<path d="M${from.x} ${from.y}L${base.x} ${base.y}" class="line"/><polygon points="${points}" class="tip"/>`;
}

/** Text as the content of an element. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
