// Machines that share a PostgreSQL database.
import { onTestFinished } from "vitest";

import { createPlace, type Place, type Run } from "../spec/program.ts";

/** A machine with these files in its project, until the end of the test. */
export function placeWith(files: Readonly<Record<string, string>> = {}): Place {
  const place = createPlace(files);
  onTestFinished(place.remove);
  return place;
}

/** The exit code, the message and the hint. */
export function failureOf({ exit, stderr }: Run): readonly unknown[] {
  return [exit, ...stderr.trimEnd().split("\n").slice(0, 2)];
}
