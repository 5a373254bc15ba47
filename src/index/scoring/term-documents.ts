/** The number of documents with a term, by field. */
export interface TermDocuments {
  readonly body: number;
  readonly names: number;
  readonly path: number;
}

/** Of a term that does not occur. */
export const NO_DOCUMENTS: TermDocuments = { body: 0, names: 0, path: 0 };

/** Adds up the documents with a term in two parts of an index. */
export function addDocuments(one: TermDocuments, other: TermDocuments): TermDocuments {
  return {
    body: one.body + other.body,
    names: one.names + other.names,
    path: one.path + other.path,
  };
}

/** Returns how many documents of the field with most of them have the term. */
export function mostDocuments({ body, names, path }: TermDocuments): number {
  return Math.max(body, names, path);
}
