import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import { addMonitor, removeMonitor } from "../../sources/registry/monitors.ts";
import type { Monitor } from "../../sources/registry/records.ts";
import type { Registry } from "../../sources/registry/registry.ts";
import type { MonitorItem, MonitorRequest, MonitorResult } from "../api/monitors.ts";
import { requireValidQuestion } from "./compile-monitor.ts";

/** Letters, digits and separators of words. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,63}$/u;

/** Creates, lists or deletes monitors of the caller. Throws INVALID_PARAMS, INVALID_QUERY and INVALID_PATTERN. */
export async function setMonitor(
  registry: Registry,
  namespace: string,
  request: MonitorRequest,
): Promise<Omit<MonitorResult, "isWatching">> {
  const { action, name, question, principal } = request;
  if (action === "create") {
    return { namespace, monitors: [await createMonitor(registry, namespace, request)] };
  }
  if (question !== undefined) {
    throw new SvcError("INVALID_PARAMS", `${question.kind}: only \`create\` accepts it.`, {
      hint: "Delete a monitor by its name.",
    });
  }
  const all = (await registry.state()).monitorsOfOwner(namespace, principal.id);
  if (action === "list") {
    const wanted = name === undefined ? all : [requireNamed(all, name)];
    return { namespace, monitors: wanted.map(shown) };
  }
  if (name === undefined) {
    throw new SvcError("INVALID_PARAMS", "name: `delete` requires it.", {
      hint: "`list` shows the names.",
    });
  }
  requireNamed(all, name);
  const removed = await removeMonitor(registry, namespace, { owner: principal.id, name });
  return { namespace, monitors: removed === undefined ? [] : [shown(removed)] };
}

async function createMonitor(
  registry: Registry,
  namespace: string,
  { name, question, principal }: MonitorRequest,
): Promise<MonitorItem> {
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
    await addMonitor(registry, {
      namespace,
      owner: principal.id,
      name: name ?? "",
      kind: question.kind,
      question: question.text,
    }),
  );
}

function requireNamed(all: readonly Monitor[], name: string): Monitor {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  const close = closestWord(name, names);
  throw new SvcError("INVALID_PARAMS", `You have no monitor "${name}".`, {
    hint:
      names.length === 0
        ? "This namespace has none; `set_monitor` adds one."
        : close === undefined
          ? `Your monitors: ${names.slice(0, 10).join(", ")}.`
          : `Nearest: ${close}.`,
  });
}

function shown({ name, kind, question, createdAt }: Monitor): MonitorItem {
  return { name, kind, question, createdAt };
}
