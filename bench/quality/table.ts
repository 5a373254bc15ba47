// Tables of text.

export type Cell = string | number | undefined;

/** Lines with columns as wide as their widest cell: the first on the left, the others on the right. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [headings, ...rows.map((row) => row.map(textOf))];
  const widths = headings.map((_heading, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  return texts
    .map((row) =>
      row
        .map((text, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? text.padEnd(width) : text.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A share, the form of all retrieval measures. */
export function share(value: number | undefined): string | undefined {
  // Rounds -0.000 to 0.
  return value === undefined ? undefined : (Math.round(value * 1000) / 1000 + 0).toFixed(3);
}

/** A difference with its sign. */
export function difference(value: number): string {
  const text = Math.abs(value).toFixed(3);
  return `${value < 0 && text !== "0.000" ? "-" : "+"}${text}`;
}

function textOf(cell: Cell): string {
  return cell === undefined || Number.isNaN(cell) ? "-" : String(cell);
}
