// Methods of Objective-C have selectors as names: `initWithFrame:style:`. Lines show only their first part, and not the class.

import type { TextLines } from "../../text-lines.ts";
import type { Definition, ParsedOutline } from "../definition-rules.ts";

/** Maximum lines of the head of a method. */
const MAX_LINES = 30;
const CLASS = /^@(?:interface|implementation|protocol)\s+(\w+)/;
const TOKEN = /\w+|[^\s\w]/g;

/** Returns the outline with the selectors of methods and the classes of methods and properties. */
export function withSelectors(outline: ParsedOutline, lines: TextLines): ParsedOutline {
  const classes = classesByLine(lines);
  const isProperty = ({ nameLine }: Definition): boolean =>
    lineAt(lines, nameLine).startsWith("@property");
  const complete = (one: Definition): readonly Definition[] => {
    const owner = classes[one.nameLine];
    if (one.kind === "method" && /^[-+]/.test(lineAt(lines, one.nameLine))) {
      // A declaration ends at the next one, so it contains the properties in between.
      const properties = one.members.filter(isProperty);
      const members = one.members.filter((member) => !isProperty(member));
      return [
        { ...one, name: selectorAt(lines, one), owner, members },
        ...properties.flatMap(complete),
      ];
    }
    return [isProperty(one) ? { ...one, kind: "field", owner } : one];
  };
  return { ...outline, definitions: outline.definitions.flatMap(complete) };
}

function lineAt(lines: TextLines, line: number): string {
  return lines.text.slice(lines.starts[line - 1] ?? 0, lines.endOf(line));
}

/** The class around each line. */
function classesByLine(lines: TextLines): readonly (string | undefined)[] {
  const classes: (string | undefined)[] = [undefined];
  let around: string | undefined;
  for (let line = 1; line <= lines.count; line += 1) {
    const isMarked = lines.text[lines.starts[line - 1] ?? 0] === "@";
    const text = isMarked ? lineAt(lines, line).slice(0, 200) : "";
    if (text.startsWith("@end")) around = undefined;
    else if (!/^@protocol[^;<]*;/.test(text)) around = CLASS.exec(text)?.[1] ?? around;
    classes.push(around);
  }
  return classes;
}

/** Returns `open:mode:` for `- (void)open:(int)path mode:(int)mode {`. */
function selectorAt(lines: TextLines, { nameLine, name }: Definition): string {
  const end = Math.min(lines.count, nameLine + MAX_LINES);
  const head = lines.text.slice((lines.starts[nameLine - 1] ?? 0) + 1, lines.endOf(end));
  let depth = 0;
  let last = "";
  let selector = "";
  for (const [token] of head.matchAll(TOKEN)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (depth > 0) continue;
    else if (token === ":") selector += `${last}:`;
    else if (/^[{;@]/.test(token)) break;
    last = /^\w/.test(token) ? token : "";
  }
  return selector === "" ? name : selector;
}
