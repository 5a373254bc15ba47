import { applyEdit } from "./apply-edit.ts";
import type { RegistryEdit, SwapOptions } from "./port.ts";
import type { Source } from "./records.ts";
import { RegistryState } from "./registry-state.ts";

/** A state of the registry with the edits of a change so far. */
export class RegistryDraft extends RegistryState {
  readonly edits: RegistryEdit[] = [];
  /** What to do before the edits become the next state: see `SwapOptions`. */
  beforeCommit: SwapOptions["beforeCommit"];

  edit(edit: RegistryEdit): void {
    this.edits.push(edit);
    this.current = applyEdit(this.current, edit);
  }

  /** Adds or replaces a source and returns it. Makes no edit if it equals `known`. */
  put(source: Source, known: Source | undefined): Source {
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(source)) return known;
    this.edit({ put: "source", record: source });
    return source;
  }
}
