export type State = "ok" | "warning" | "failed";

/** One line of the report. */
export interface Finding {
  /** What was looked at: the name of the check, and with it `namespace` where it has one. */
  readonly check: string;
  readonly namespace?: string;
  readonly state: State;
  readonly what: string;
  /** How to mend it, with the command to run; on all but `ok`. */
  readonly mend?: string;
}

/** Makes the findings of one check. */
export interface Teller {
  readonly ok: (what: string) => Finding;
  readonly warning: (what: string, mend: string) => Finding;
  readonly failed: (what: string, mend: string) => Finding;
}

export function teller(check: string, namespace?: string): Teller {
  const about = { check, ...(namespace === undefined ? {} : { namespace }) };
  return {
    ok: (what) => ({ ...about, state: "ok", what }),
    warning: (what, mend) => ({ ...about, state: "warning", what, mend }),
    failed: (what, mend) => ({ ...about, state: "failed", what, mend }),
  };
}

/** A path as a word of the shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The first few of a list, and how many more there are. */
export function fewOf(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function sizeText(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
