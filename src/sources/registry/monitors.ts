// The rules of monitors (saved queries). They are records of the registry and are deleted with their namespace.

import { SvcError } from "../../base/errors.ts";
import type { Monitor } from "./records.ts";
import type { Registry } from "./registry.ts";
import type { RegistryState } from "./registry-state.ts";

const MAX_PER_OWNER = 50;
const MAX_PER_NAMESPACE = 1000;

/**
 * Adds a monitor, with a generated name if `name` is empty. Adding the same query again returns the existing monitor.
 * Throws INVALID_PARAMS if the name is taken or there are too many.
 */
export function addMonitor(
  registry: Registry,
  { namespace, owner, name, kind, question }: Omit<Monitor, "id" | "createdAt">,
): Promise<Monitor> {
  return registry.change((draft) => {
    const own = draft.monitorsOfOwner(namespace, owner);
    const same = own.find(
      (monitor) =>
        (name === "" || monitor.name === name) &&
        monitor.kind === kind &&
        monitor.question === question,
    );
    if (same !== undefined) return same;
    requireCapacity(draft, namespace, own);
    const unused = name === "" ? unusedName(own) : name;
    if (own.some((monitor) => monitor.name === unused)) {
      throw new SvcError("INVALID_PARAMS", `A monitor named "${unused}" already exists.`, {
        hint: "Choose another name, or remove that one first.",
      });
    }
    const id = draft.records.nextMonitorId;
    const createdAt = new Date().toISOString();
    const record = { id, namespace, owner, name: unused, kind, question, createdAt };
    draft.edit({ put: "monitor", record });
    return record;
  });
}

/** Removes a monitor and returns it; undefined if the owner has none of that name. */
export function removeMonitor(
  registry: Registry,
  namespace: string,
  { owner, name }: Pick<Monitor, "owner" | "name">,
): Promise<Monitor | undefined> {
  return registry.change((draft) => {
    const found = draft.monitorsOfOwner(namespace, owner).find((one) => one.name === name);
    if (found !== undefined) draft.edit({ remove: "monitor", id: found.id });
    return found;
  });
}

/** Removes the monitors of a revoked credential in every namespace. */
export function removeMonitorsOf(registry: Registry, owner: string): Promise<void> {
  return registry.change((draft) => {
    for (const { id } of draft.allMonitorsOfOwner(owner)) draft.edit({ remove: "monitor", id });
  });
}

function requireCapacity(state: RegistryState, namespace: string, own: readonly Monitor[]): void {
  if (own.length >= MAX_PER_OWNER) {
    throw new SvcError(
      "INVALID_PARAMS",
      `You have ${MAX_PER_OWNER} monitors, which is the maximum.`,
      { hint: "Delete one that you no longer need; `list` shows them." },
    );
  }
  if (state.monitors(namespace).length < MAX_PER_NAMESPACE) return;
  throw new SvcError(
    "INVALID_PARAMS",
    `The namespace has ${MAX_PER_NAMESPACE} monitors, which is the maximum.`,
    { hint: "Other users of the namespace must delete some." },
  );
}

function unusedName(own: readonly Monitor[]): string {
  const taken = new Set(own.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = `monitor-${number}`;
    if (!taken.has(name)) return name;
  }
}
