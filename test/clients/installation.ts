import { join } from "node:path";

import { onTestFinished } from "vitest";

import { requireClient } from "../../src/clients/find-client.ts";
import { install, uninstall, type InstallResult } from "../../src/clients/install.ts";
import {
  findProjectTarget,
  userTarget,
  type ConfigTarget,
} from "../../src/clients/config-target.ts";
import { tree } from "../helpers/tree.ts";

const PROGRAM = { command: "/opt/svc", args: [] };

interface InstallChoices {
  readonly root?: string;
  readonly namespace?: string;
  readonly remote?: string;
  readonly prepare?: () => Promise<void>;
}

export interface Installation {
  /** Returns the absolute path of a file below the test's home and project. */
  readonly path: (name: string) => string;
  readonly target: (client: string, project?: "project") => ConfigTarget;
  readonly install: (target: ConfigTarget, choices?: InstallChoices) => Promise<InstallResult>;
  readonly uninstall: (target: ConfigTarget) => Promise<InstallResult>;
}

/** Creates a machine with these files below `home/` and `project/`. */
export function installation(files: Readonly<Record<string, string | Uint8Array>>): Installation {
  const place = tree({ "home/": "", "project/": "", ...files });
  onTestFinished(place.dispose);
  const path = (name: string): string => join(place.path, name);
  const machine = { platform: "linux", home: path("home"), env: {} } as const;
  const lockFile = path("data/clients.lock");
  return {
    path,
    target(client, project) {
      const definition = requireClient(client);
      const found = findProjectTarget(definition, path("project"));
      if (project === undefined || found === undefined) return userTarget(definition, machine);
      return found;
    },
    install: (target, { root, namespace, remote, prepare = async () => {} } = {}) =>
      install({
        target,
        program: PROGRAM,
        server: { root, namespace, remote, defaultRoot: () => undefined },
        lockFile,
        prepare,
      }),
    uninstall: (target) => uninstall(target, lockFile),
  };
}
