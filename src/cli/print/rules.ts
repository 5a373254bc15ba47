import type { RulesResult } from "../../clients/rules.ts";
import type { Io } from "../io.ts";
import { safeText } from "./safe-text.ts";

const STATES: Readonly<Record<RulesResult["state"], string>> = {
  added: "Added rules for agents",
  changed: "Updated the rules for agents",
  unchanged: "The rules for agents are up to date",
  kept: "You have changed the rules of svc, so svc leaves them unchanged",
  removed: "Removed the rules for agents",
  absent: "There are no rules for agents",
};

export function reportRules(io: Io, { state, path }: RulesResult): void {
  io.out(safeText(`${STATES[state]}: ${path}\n`));
}

export function rulesJson({ state, path }: RulesResult): object {
  return { file: path, state };
}
