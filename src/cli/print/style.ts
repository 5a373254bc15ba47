import { styleText } from "node:util";

type Paint = (text: string) => string;

const STYLES = ["bold", "dim", "red", "green", "yellow", "cyan", "magenta"] as const;

export type Style = Readonly<Record<(typeof STYLES)[number], Paint>>;

/** Colours text if `hasColor` is true; otherwise returns it unchanged. */
export function createStyle(hasColor: boolean): Style {
  const paint = (name: (typeof STYLES)[number]): Paint =>
    // `hasColor` has decided: validateStream would check the environment again.
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
