// Machines that share a PostgreSQL database.
import { onTestFinished } from "vitest";

import {
  createPlace,
  environmentOf,
  type Environment,
  type Place,
  type Run,
} from "../spec/program.ts";
import { commandsIn } from "./cli.ts";

/** A machine with these files in its project, until the end of the test. */
export function placeWith(files: Readonly<Record<string, string>> = {}): Place {
  const place = createPlace(files);
  onTestFinished(place.remove);
  return place;
}

/**
 * Runs a command on that machine with these variables, in this process: a fraction of the processor time of a program. For
 * tests about what is in the database.
 */
export async function runHere(
  place: Place,
  env: Environment,
  ...words: readonly string[]
): Promise<Run> {
  const commands = commandsIn({ ...place, env: { ...environmentOf(place), ...env } });
  const { code, out, err } = await commands.svc(...words);
  return { exit: code, stdout: out, stderr: err };
}

/** The exit code, the message and the remedy. */
export function failureOf({ exit, stderr }: Run): readonly unknown[] {
  return [exit, ...stderr.trimEnd().split("\n").slice(0, 2)];
}
