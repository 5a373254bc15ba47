import type { Passage } from "../../engine/api/search.ts";

/** Returns what a result says of files that it stands for: `+ 1 copy, 12 translations`; "" if there are none. */
export function foldedNote({
  copies,
  translations,
}: Pick<Passage, "copies" | "translations">): string {
  const parts = [
    counted(copies.length, "copy", "copies"),
    counted(translations.length, "translation", "translations"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `+ ${parts.join(", ")}`;
}

/** The same after two spaces, at the end of a heading. */
export function foldedMark(passage: Pick<Passage, "copies" | "translations">): string {
  const note = foldedNote(passage);
  return note === "" ? "" : `  ${note}`;
}

function counted(count: number, one: string, several: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 ${one}` : `${count} ${several}`;
}
