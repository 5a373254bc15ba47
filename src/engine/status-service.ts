import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import type { Backend } from "../backend/backend.ts";
import { SvcError } from "../base/errors.ts";
import { nextTurn } from "../base/turns.ts";
import type { Engine } from "./api/engine.ts";
import type { NamespaceStatus, StatusRequest } from "./api/status.ts";
import { ProjectRecords } from "./dependencies/project-records.ts";
import { progressOf } from "./indexing/follow-update.ts";
import type { RepositoryUpdates } from "./indexing/repository-updates.ts";
import { withProjectSettings } from "./indexing/project-settings.ts";
import type { RunScheduler } from "./indexing/scheduler.ts";
import { namespaceStatus } from "./namespace-status.ts";
import type { Namespaces } from "./namespaces.ts";

interface StatusServiceParts {
  readonly dataDirectory: string;
  readonly backend: Pick<Backend, "description" | "index" | "updates">;
  readonly namespaces: Namespaces;
  readonly runs: RunScheduler;
  readonly updates: RepositoryUpdates;
}

/** Reports the state of namespaces. */
export class StatusService {
  readonly #parts: StatusServiceParts;
  readonly #records: ProjectRecords;

  constructor(parts: StatusServiceParts) {
    this.#parts = parts;
    this.#records = new ProjectRecords(parts.dataDirectory);
  }

  readonly ofNamespaces: Engine["status"] = async (request) => {
    await nextTurn();
    // While it was in line the session may have ended.
    if (request.signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    const { namespaces } = this.#parts;
    const wanted =
      request.namespace === undefined
        ? await this.#visible(request)
        : [await namespaces.authorize(request, request.namespace)];
    return Promise.all(wanted.map((namespace) => this.of(namespace, request)));
  };

  async #visible(request: StatusRequest): Promise<readonly AuthorizedNamespace[]> {
    const { namespaces } = this.#parts;
    const all = await namespaces.visible(request);
    if (request.isWorkspaceFirst !== true) return all;
    const own = await namespaces.ofWorkspace();
    return all.toSorted((one, other) => Number(other === own) - Number(one === own));
  }

  async of(
    namespace: AuthorizedNamespace,
    { detail, principal }: Pick<StatusRequest, "detail" | "principal">,
  ): Promise<NamespaceStatus> {
    const { backend, namespaces, runs, updates } = this.#parts;
    const state = await namespaces.state();
    const sources = state.sources(namespace);
    const [update] = updates.of(sources);
    const running = update ?? runs.running(namespace);
    const isFetched = sources.some(({ url }) => url !== undefined);
    const shared = isFetched && running === undefined ? backend.updates : undefined;
    const elsewhere = (await shared?.stateOf(namespace))?.progress;
    return namespaceStatus({
      namespace,
      detail,
      canAccess: (name) => principal.canAccess(name),
      dependencies: this.#records.namespacesOf(namespace, state),
      // The status reports a machine that cannot read them in other ways.
      sources: await withProjectSettings(sources).catch(() => sources),
      reader: () => backend.index.reader(namespace),
      progress: running?.progress() ?? (elsewhere && progressOf(elsewhere)),
      hasSharedTexts: backend.description.kind === "postgres",
      lastRun: state.lastRun(namespace),
      health: () => backend.index.health(namespace),
      freshness: await runs.watchers.freshness(namespace),
    });
  }
}
