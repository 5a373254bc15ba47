import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { Monitor, MonitorStore } from "../../sources/monitors.ts";
import type { MonitorItem, MonitorResult, MonitorRequest } from "../changes/changes.ts";
import { requireValidQuestion } from "./compile-monitor.ts";

/** Letters, digits and separators of words. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,63}$/u;

/** Creates, lists or deletes monitors of the caller. Throws INVALID_PARAMS, INVALID_QUERY and INVALID_PATTERN. */
export function setMonitor(
  store: MonitorStore,
  namespace: string,
  { action, name, question, principal }: MonitorRequest,
): Omit<MonitorResult, "isWatching"> {
  if (action === "create") return { namespace, monitors: [create(store, namespace)] };
  if (question !== undefined) {
    throw new SvcError("INVALID_PARAMS", `${question.kind}: only \`create\` accepts it.`, {
      hint: "Delete a monitor by its name.",
    });
  }
  if (action === "list") {
    const all = store.listByOwner(namespace, principal.id);
    const wanted = name === undefined ? all : [requireNamed(all, name)];
    return { namespace, monitors: wanted.map(shown) };
  }
  if (name === undefined) {
    throw new SvcError("INVALID_PARAMS", "name: `delete` requires it.", {
      hint: "`list` shows the names.",
    });
  }
  requireNamed(store.listByOwner(namespace, principal.id), name);
  const removed = store.remove(namespace, principal.id, name);
  return { namespace, monitors: removed === undefined ? [] : [shown(removed)] };

  function create(into: MonitorStore, of: string): MonitorItem {
    if (question === undefined) {
      throw new SvcError(
        "INVALID_PARAMS",
        "`create` requires one of query, pattern, symbol and path.",
        {
          hint: 'E.g. {"action": "create", "name": "todos", "pattern": "TODO|FIXME"}.',
        },
      );
    }
    if (name !== undefined && !NAME.test(name)) {
      throw new SvcError("INVALID_PARAMS", `name: "${name}" is not a valid name.`, {
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
        ? "You have no monitors in this namespace."
        : close === undefined
          ? `Your monitors: ${names.slice(0, 10).join(", ")}.`
          : `Nearest: ${close}.`,
  });
}

function shown({ name, kind, question, createdAt }: Monitor): MonitorItem {
  return { name, kind, question, createdAt };
}
