import { PLAIN, type Style } from "./style.ts";
import { displayWidth, truncate } from "./width.ts";

interface Column {
  readonly title: string;
  readonly align?: "right";
  /** Shrinks if the table is wider than the terminal; its cells must be uncoloured. */
  readonly flexible?: boolean;
}

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Maximum width in cells. Without it there is no limit, so that a pipe gets whole values. */
  readonly width?: number | undefined;
  readonly style?: Style;
}

const GAP = "  ";
const MIN_COLUMN_WIDTH = 8;

/** Rows under their titles, ending with a newline; empty if there are no rows. */
export function formatTable({ columns, rows, width, style = PLAIN }: Table): string {
  if (rows.length === 0) return "";
  const natural = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  const widths = width === undefined ? natural : shrink(columns, natural, width);
  const titles = columns.map(({ title }) => title);
  return [titles, ...rows]
    .map((row, index) => {
      const cells = columns.map((column, at) => pad(row[at] ?? "", widths[at] ?? 0, column));
      const line = cells.join(GAP).trimEnd();
      return `${index === 0 ? style.bold(line) : line}\n`;
    })
    .join("");
}

function pad(text: string, width: number, { align, flexible }: Column): string {
  const shown = flexible === true ? truncate(text, width) : text;
  const space = " ".repeat(Math.max(0, width - displayWidth(shown)));
  return align === "right" ? space + shown : shown + space;
}

/** Shrinks flexible columns to the width, the widest first. */
function shrink(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, cells) => sum + cells + GAP.length, -GAP.length) - width;
  const flexible = columns.flatMap((column, at) => (column.flexible === true ? [at] : []));
  flexible.sort((a, b) => (natural[b] ?? 0) - (natural[a] ?? 0));
  for (const at of flexible) {
    const cells = widths[at] ?? 0;
    const taken = Math.max(0, Math.min(excess, cells - MIN_COLUMN_WIDTH));
    widths[at] = cells - taken;
    excess -= taken;
  }
  return widths;
}
