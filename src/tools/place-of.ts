/** The place of something in a document as a member of a record; nothing for other files. */
export function placeOf({ place }: { readonly place?: string | undefined }): { place?: string } {
  return place === undefined ? {} : { place };
}
