import { groupedDigits } from "./grouped-digits.ts";

/** Returns a whole number with its noun: `1 file`, `12,000 files`, `2 indexes`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupedDigits(count)} ${count === 1 ? noun : plural}`;
}

/** Returns a size in decimal units: `512 bytes`, `8.4 kB`, `61.5 MB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1e3) return counted(bytes, "byte");
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
