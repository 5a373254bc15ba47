import { styleText } from "node:util";

type Paint = (text: string) => string;

const STYLES = ["bold", "dim", "red", "green", "yellow", "cyan", "magenta"] as const;

export type Style = Readonly<Record<(typeof STYLES)[number], Paint>>;

/** Paints text when `hasColor` is true, and returns it as it is otherwise. */
export function createStyle(hasColor: boolean): Style {
  const paint = (name: (typeof STYLES)[number]): Paint =>
    // The choice is made already: validateStream would consult the environment a second time.
    hasColor ? (text) => styleText(name, text, { validateStream: false }) : (text) => text;
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
    magenta: paint("magenta"),
  };
}

export const PLAIN = createStyle(false);
