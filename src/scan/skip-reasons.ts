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
  "document-unread": "It has not been read yet: documents are read last.",
  "document-encrypted": "It is encrypted: its text can be read only with its password.",
  "document-images-only":
    "It consists of images, such as scanned pages, and has no text. svc does not recognize text in images.",
  "document-damaged": "It is damaged, or not in the format of its name.",
  "document-too-large":
    "It unpacks to more than 64 MiB, or needs more memory than one document may use.",
  "document-too-slow": "Its text takes more than 20 seconds of processor time to extract.",
  "document-empty": "It has no text.",
  vanished: "It was removed during the scan.",
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;
