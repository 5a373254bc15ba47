// RELEASE_NOTES.md: the changes, the files, and what has not been run.

export interface ReleaseFile {
  readonly file: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** "ran here", or why it was not run. */
  readonly tried: string;
  /** False if it was not run. */
  readonly ran: boolean;
}

export interface Release {
  readonly version: string;
  /** Reasons why this is only a draft. */
  readonly draft: readonly string[];
  readonly changes: string;
  readonly released: readonly ReleaseFile[];
  /** Missing platform or channel -> reason. */
  readonly missing: Readonly<Record<string, string>>;
}

export function releaseNotes({ version, draft, changes, released, missing }: Release): string {
  const notRun = [
    ...released.filter(({ ran }) => !ran).map(({ file, tried }) => `- \`${file}\`: ${tried}`),
    ...Object.entries(missing).map(([id, reason]) => `- ${id}: ${reason}`),
  ];
  const draftOf = draft.map((reason) => `> - ${reason}`);
  return [
    `# svc ${version}`,
    ...(draft.length === 0 ? [] : [["> A draft, not a release:", ...draftOf].join("\n")]),
    "Unpack all files into one folder and run `sh install.sh` there, or `npm install --global` with the " +
      "`.tgz` file if Node 24 or later is installed.",
    "## Files",
    [
      "| file | size | tried |",
      "| --- | --- | --- |",
      ...released.map(
        ({ file, sizeBytes, tried }) =>
          `| \`${file}\` | ${(sizeBytes / 1e6).toFixed(1)} MB | ${tried} |`,
      ),
    ].join("\n"),
    "Each executable is available uncompressed and compressed (`.gz`), with its bill of materials (`.cdx.json`) and " +
      "third-party licences (`.notices.txt`). `SHA256SUMS` lists all files.",
    "## Sums that the source determines",
    "Executables are reproducible from the source of this version. In a clone of it, after `npm ci`, " +
      "`npm run verify -- FILE` builds the executable again and compares. The files in the `.tgz` are " +
      "reproducible too; its own checksum also depends on the npm version that packed it. A container image also " +
      "depends on the packages of Debian that its labels name.",
    released.map(({ file, sha256 }) => `    ${sha256}  ${file}`).join("\n"),
    "## What was not run",
    notRun.length === 0 ? "All executables above were run." : notRun.join("\n"),
    "## What changed",
    changes,
    "",
  ].join("\n\n");
}
