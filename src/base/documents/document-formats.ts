// The formats of documents, by the extensions of files.

/** Extensions by format, in lower case, without the dot. The formats are languages too, so `language:pdf` filters. */
const EXTENSIONS = {
  pdf: "pdf",
  word: "docx docm dotx odt ott",
  slides: "pptx pptm ppsx potx odp",
  spreadsheet: "xlsx xlsm xltx ods",
  epub: "epub",
  notebook: "ipynb",
  email: "eml",
} as const;

export type DocumentFormat = keyof typeof EXTENSIONS;

/** Larger documents are listed but not read. */
export const MAX_DOCUMENT_BYTES = 64 << 20;
/** More text of one document is left out. */
export const MAX_DOCUMENT_TEXT_CHARS = 4 << 20;
/** Data that a document may unpack to. */
export const MAX_UNPACKED_BYTES = 64 << 20;
/** More pages of one document are left out. */
export const MAX_DOCUMENT_PAGES = 5000;

export const DOCUMENT_EXTENSIONS: Readonly<Record<DocumentFormat, string>> = EXTENSIONS;

const FORMATS: ReadonlyMap<string, DocumentFormat> = new Map(
  Object.keys(EXTENSIONS)
    .filter(isDocumentFormat)
    .flatMap((format) =>
      EXTENSIONS[format].split(" ").map((extension) => [extension, format] as const),
    ),
);

/** Returns the format of a document by its name; undefined for a file that is not a document. */
export function documentFormatOf(path: string): DocumentFormat | undefined {
  const dot = path.lastIndexOf(".");
  // A name that is only an extension has none.
  const hasExtension = dot > 0 && path[dot - 1] !== "/";
  return hasExtension ? FORMATS.get(path.slice(dot + 1).toLowerCase()) : undefined;
}

/** Whether a language is that of documents for people to read; notebooks are mostly code. */
export function isProseDocument(language: string): boolean {
  return isDocumentFormat(language) && language !== "notebook";
}

export function isDocumentFormat(name: string): name is DocumentFormat {
  return Object.hasOwn(EXTENSIONS, name);
}

/** Whether a file is a document, or a page of HTML that is documentation: its pages and sections are what answers. */
export function isDocumentation({
  language,
  role,
}: {
  readonly language: string;
  readonly role: string;
}): boolean {
  return isDocumentFormat(language) || (language === "html" && role === "docs");
}
