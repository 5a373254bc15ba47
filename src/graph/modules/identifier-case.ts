/** "HTMLParser2" -> "html_parser2", as Rails and Mix name files. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/g, "_")
    .replaceAll("-", "_")
    .toLowerCase();
}
