export type FindingState = "ok" | "warning" | "failed";

/** One line of the report. */
export interface Finding {
  /** What was looked at: the name of the check, and with it `namespace` where it has one. */
  readonly check: string;
  readonly namespace?: string;
  readonly state: FindingState;
  readonly what: string;
  /** How to mend it, with the command to run; on all but `ok`. */
  readonly mend?: string;
}

/** Makes the findings of one check. */
export interface Reporter {
  readonly ok: (what: string) => Finding;
  readonly warning: (what: string, fix: string) => Finding;
  readonly failed: (what: string, fix: string) => Finding;
}

export function createReporter(check: string, namespace?: string): Reporter {
  const about = { check, ...(namespace === undefined ? {} : { namespace }) };
  return {
    ok: (what) => ({ ...about, state: "ok", what }),
    warning: (what, mend) => ({ ...about, state: "warning", what, mend }),
    failed: (what, mend) => ({ ...about, state: "failed", what, mend }),
  };
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The first few of a list, and how many more there are. */
export function firstFew(names: readonly string[], max = 3): string {
  const more = names.length - max;
  return `${names.slice(0, max).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function sizeText(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
