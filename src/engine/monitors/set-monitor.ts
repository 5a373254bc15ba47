import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { Monitor, MonitorStore } from "../../sources/monitors.ts";
import type { MonitorItem, MonitorResult, MonitorRequest } from "../changes/changes.ts";
import { requireValidQuestion } from "./compile-monitor.ts";

/** Letters, digits and what stands between words of names. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,63}$/u;

/** Makes, lists or deletes monitors of the caller. Throws INVALID_PARAMS and what questions throw. */
export function setMonitor(
  store: MonitorStore,
  namespace: string,
  { action, name, question, principal }: MonitorRequest,
): Omit<MonitorResult, "isWatching"> {
  if (action === "create") return { namespace, monitors: [create(store, namespace)] };
  if (question !== undefined) {
    throw new SvcError("INVALID_PARAMS", `${question.kind}: only create takes it.`, {
      hint: "A monitor is deleted by its name.",
    });
  }
  if (action === "list") {
    const all = store.listByOwner(namespace, principal.id);
    const wanted = name === undefined ? all : [requireNamed(all, name)];
    return { namespace, monitors: wanted.map(shown) };
  }
  if (name === undefined) {
    throw new SvcError("INVALID_PARAMS", "name: delete needs it.", {
      hint: "`list` shows the names.",
    });
  }
  requireNamed(store.listByOwner(namespace, principal.id), name);
  const removed = store.remove(namespace, principal.id, name);
  return { namespace, monitors: removed === undefined ? [] : [shown(removed)] };

  function create(into: MonitorStore, of: string): MonitorItem {
    if (question === undefined) {
      throw new SvcError("INVALID_PARAMS", "create needs one of query, pattern, symbol and path.", {
        hint: 'E.g. {"action": "create", "name": "todos", "pattern": "TODO|FIXME"}.',
      });
    }
    if (name !== undefined && !NAME.test(name)) {
      throw new SvcError("INVALID_PARAMS", `name: "${name}" cannot be a name.`, {
        hint: "Use 1 to 64 letters, digits, spaces and . _ / -, beginning with a letter or digit.",
      });
    }
    requireValidQuestion({ kind: question.kind, question: question.text });
    return shown(
      into.add({
        namespace: of,
        owner: principal.id,
        name: name ?? "",
        kind: question.kind,
        question: question.text,
      }),
    );
  }
}

function requireNamed(all: readonly Monitor[], name: string): Monitor {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  const close = closestWord(name, names);
  throw new SvcError("INVALID_PARAMS", `You have no monitor "${name}".`, {
    hint:
      names.length === 0
        ? "You have none in this namespace."
        : close === undefined
          ? `There are: ${names.slice(0, 10).join(", ")}.`
          : `Nearest: ${close}.`,
  });
}

function shown({ name, kind, question, createdAt }: Monitor): MonitorItem {
  return { name, kind, question, createdAt };
}
