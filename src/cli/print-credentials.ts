import type { ListedCredential } from "../credentials/list-credentials.ts";
import { notesOf } from "./credential-json.ts";
import type { Io } from "./io.ts";
import { printJson } from "./print/json.ts";
import { safeLine } from "./print/safe-text.ts";
import { createStyle } from "./print/style.ts";
import { formatTable } from "./print/table.ts";
import { shortTime } from "./print/time.ts";

interface ListForm {
  readonly asJson: boolean;
  readonly shape: (one: ListedCredential) => object;
  /** The message for an empty list. */
  readonly empty: string;
  /** Column titles: accessible namespaces, time, notes. */
  readonly titles: readonly [opens: string, time: string, notes: string];
  readonly opens: (one: ListedCredential) => string;
  /** Milliseconds since 1970. */
  readonly time: (one: ListedCredential) => number | undefined;
}

/** Prints a list of keys or tokens as a table, or as JSON in the given shape. */
export function printCredentials(
  io: Io,
  listed: readonly ListedCredential[],
  { asJson, shape, empty, titles, opens, time }: ListForm,
): void {
  if (asJson) {
    printJson(io, listed.map(shape));
    return;
  }
  if (listed.length === 0) {
    io.err(`${empty}\n`);
    return;
  }
  const [opensTitle, timeTitle, notesTitle] = titles;
  io.out(
    formatTable({
      columns: [
        { title: "ID" },
        { title: "NAME", flexible: true },
        { title: opensTitle, flexible: true },
        { title: timeTitle },
        { title: "LAST USED" },
        { title: notesTitle },
      ],
      rows: listed.map((one) => [
        one.record.id,
        safeLine(one.record.name),
        opens(one),
        shortTime(time(one)),
        shortTime(one.record.lastUsedAt),
        notesOf(one),
      ]),
      width: io.isTerminal ? io.columns : undefined,
      style: createStyle(io.color),
    }),
  );
}
