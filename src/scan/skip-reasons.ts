/** Why svc does not index a file or folder. People and agents see these sentences. */
export const SKIP_REASONS = {
  binary: "It is not text.",
  "too-large": "It is larger than the limit for one file.",
  secret: "Its name suggests that it contains secrets.",
  unreadable: "It cannot be read with the rights of this process.",
  "not-a-file": "It is a pipe, a socket or a device.",
  "symbolic-link": "It is a symbolic link; links are not followed.",
  generated: "It is a lock file, a source map or minified code.",
  "too-deep": "It is more than 255 folders deep, or its path is longer than the system allows.",
  "dependency-folder": "It is a dependency or cache folder.",
  encoding: "Its content is neither UTF-8 nor UTF-16.",
  minified: "It consists of very long lines, as minified code does.",
  "ignore-rules":
    "Its ignore rules cannot be read, so svc skips all files they may name: files that git does not track, or for an .ignore or .svcignore everything in its folder.",
  vanished: "It was removed during the scan.",
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;
