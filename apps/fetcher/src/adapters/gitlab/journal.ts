import { LRUCache } from 'lru-cache';
import type { Change } from '../../change.ts';
import type { Deployment, Project } from './answers.ts';
import { isOpen, type Proof, provedBy } from './statuses.ts';
import type { Translator } from './translator.ts';

const settledMax = 20_000;

export interface Entry {
  readonly deployment: Deployment;
  readonly proofs: readonly Proof[];
}

/** The deployments that this process has settled; they require no more requests or posts. */
export class Journal {
  readonly #translator: Translator;
  readonly #onUnknown: (status: string) => void;
  /** The state of each deployment when its changes were settled. */
  readonly #settled = new LRUCache<number, string>({ max: settledMax });
  readonly #open = new Map<number, number>();

  constructor(translator: Translator, onUnknown: (status: string) => void) {
    this.#translator = translator;
    this.#onUnknown = onUnknown;
  }

  /** Deployments with all proven changes; skips unknown statuses and reports each of them once. */
  entriesOf(deployments: readonly Deployment[]): Entry[] {
    return deployments.flatMap((deployment) => {
      const { id, status, createdAt } = deployment;
      if (isOpen(status)) this.#open.set(id, Date.parse(createdAt));
      else this.#open.delete(id);
      const proofs = provedBy(deployment);
      if (proofs) return [{ deployment, proofs }];
      if (this.#isSettled(deployment)) return [];
      this.#onUnknown(status);
      this.settle([deployment]);
      return [];
    });
  }

  /** The changes of unsettled entries, from an instant on. */
  async changesOf(
    project: Project,
    entries: readonly Entry[],
    fromMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Change[]> {
    const changes: Change[] = [];
    for (const { deployment, proofs } of entries) {
      if (this.#isSettled(deployment)) continue;
      const due = proofs.filter(({ at }) => fromMs === undefined || Date.parse(at) >= fromMs);
      changes.push(...(await this.#translator.changesOf(project, deployment, due, signal)));
    }
    return changes;
  }

  /** Records that the current changes of the deployments are in the log. */
  settle(deployments: readonly Deployment[]): void {
    for (const deployment of deployments) this.#settled.set(deployment.id, stateOf(deployment));
  }

  /** Called when the log was cleared or must be filled again. */
  forget(): void {
    this.#settled.clear();
  }

  /** The number of open deployments created since an instant. */
  openSince(ms: number): number {
    for (const [id, createdMs] of this.#open) if (createdMs < ms) this.#open.delete(id);
    return this.#open.size;
  }

  #isSettled(deployment: Deployment): boolean {
    return this.#settled.get(deployment.id) === stateOf(deployment);
  }
}

function stateOf({ status, updatedAt, job }: Deployment): string {
  return [status, updatedAt, job?.startedAt ?? '', job?.finishedAt ?? ''].join(' ');
}
