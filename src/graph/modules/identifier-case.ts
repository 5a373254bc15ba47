/** Converts to snake case as Rails and Mix name files: "HTMLParser2" -> "html_parser2". */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/g, "_")
    .replaceAll("-", "_")
    .toLowerCase();
}
