// Changes of the public definitions of a project, as JSON: the output of `svc changes --api --json`.

import type {
  ApiChange,
  ApiChangesResult,
  ApiDetail,
  ApiUser,
} from "../../engine/api/api-changes.ts";

/** Leaves out members that do not apply. */
export function apiChangesRecord(result: ApiChangesResult): Readonly<Record<string, unknown>> {
  const { namespace, since, at, changes, breaking, compatible, added, hasMore, missing } = result;
  return {
    namespace,
    since,
    ...(at === "" ? {} : { at }),
    breaking,
    compatible,
    added,
    changes: changes.map(changeRecord),
    has_more: hasMore,
    ...(missing.length === 0 ? {} : { missing }),
  };
}

function changeRecord(one: ApiChange): Readonly<Record<string, unknown>> {
  const { change, isBreaking, kind, name, aliases, newName, path, line, details, members } = one;
  return {
    change,
    breaking: isBreaking,
    kind,
    name,
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(newName === "" ? {} : { new_name: newName }),
    path,
    line,
    ...(one.oldSignature === "" ? {} : { old_signature: one.oldSignature }),
    ...(one.signature === "" ? {} : { signature: one.signature }),
    ...(details.length === 0 ? {} : { details: details.map(detailRecord) }),
    ...(members === 0 ? {} : { members }),
    ...(one.userCount === undefined
      ? {}
      : { users: one.users.map(userRecord), user_count: one.userCount }),
  };
}

function detailRecord(one: ApiDetail): Readonly<Record<string, unknown>> {
  const { what, isBreaking, parameter, before, after } = one;
  return {
    what,
    breaking: isBreaking,
    ...(parameter === "" ? {} : { parameter }),
    ...(before === "" && after === "" ? {} : { before, after }),
  };
}

function userRecord(one: ApiUser): Readonly<Record<string, unknown>> {
  const { namespace, path, line, symbol, certainty, version, isLocked = false } = one;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    path,
    line,
    ...(symbol === "" ? {} : { symbol }),
    certainty,
    ...(version === undefined || version === "" ? {} : { version, locked: isLocked }),
  };
}
