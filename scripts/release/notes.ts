// RELEASE_NOTES.md: the changes, the files, and what has not been run.

export interface Made {
  readonly file: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** "ran here", or why that is all that is known of it. */
  readonly tried: string;
  /** False if it was not run. */
  readonly ran: boolean;
}

export interface Release {
  readonly version: string;
  /** Reasons why this is only a draft. */
  readonly draft: readonly string[];
  readonly changes: string;
  readonly made: readonly Made[];
  /** Platform to the reason for a missing file. */
  readonly missing: Readonly<Record<string, string>>;
}

export function releaseNotes({ version, draft, changes, made, missing }: Release): string {
  const notRun = [
    ...made.filter(({ ran }) => !ran).map(({ file, tried }) => `- \`${file}\`: ${tried}`),
    ...Object.entries(missing).map(([id, reason]) => `- ${id}: no executable, ${reason}`),
  ];
  const draftOf = draft.map((reason) => `> - ${reason}`);
  return [
    `# svc ${version}`,
    ...(draft.length === 0 ? [] : [["> A draft, not a release:", ...draftOf].join("\n")]),
    "Unpack it all into one folder and run `sh install.sh` there, or `npm install --global` with the file that " +
      "ends with `.tgz` where Node 24 or later is installed.",
    "## Files",
    [
      "| file | size | tried |",
      "| --- | --- | --- |",
      ...made.map(
        ({ file, sizeBytes, tried }) =>
          `| \`${file}\` | ${(sizeBytes / 1e6).toFixed(1)} MB | ${tried} |`,
      ),
    ].join("\n"),
    "Each executable is there as it is and compressed (`.gz`), with what it is made of (`.cdx.json`) and the " +
      "licences of that (`.notices.txt`). `SHA256SUMS` has all files.",
    "## Sums that the source determines",
    "Every byte of an executable follows from the source of this version. In a clone of it, after `npm ci`, " +
      "`npm run verify -- FILE` builds the executable again and compares. The `.tgz` holds files that follow from the " +
      "source too; its own sum also depends on the npm that packed it.",
    made.map(({ file, sha256 }) => `    ${sha256}  ${file}`).join("\n"),
    "## What was not run",
    notRun.length === 0 ? "Everything above was run." : notRun.join("\n"),
    "## What changed",
    changes,
    "",
  ].join("\n\n");
}
