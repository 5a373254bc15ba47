import { chunk } from "../chunk/helpers.ts";

/** The symbols of a file: "line kind qualified.name", with the line of the name. */
export async function symbolLines(
  language: string,
  text: string,
  file?: string,
): Promise<readonly string[]> {
  const { symbols } = await chunk(language, text, file);
  return symbols.map(({ kind, qualifiedName, nameLine }) => `${nameLine} ${kind} ${qualifiedName}`);
}
