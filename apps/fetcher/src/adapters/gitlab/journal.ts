import { LRUCache } from 'lru-cache';
import type { Change } from '../../change.ts';
import type { Deployment, Project } from './answers.ts';
import { isOpen, type Proof, provedBy } from './statuses.ts';
import type { Translator } from './translator.ts';

const settledMax = 20_000;

/** A deployment, and those of its changes that are wanted. */
export interface Entry {
  readonly deployment: Deployment;
  readonly proofs: readonly Proof[];
}

export interface JournalOptions {
  readonly translator: Translator;
  /** A status that is not in the table. */
  onUnknown(status: string): void;
}

/** What this process has seen of deployments: those whose changes are settled need neither requests nor posts again. */
export class Journal {
  readonly #options: JournalOptions;
  /** By deployment, how it was when its changes were settled. */
  readonly #settled = new LRUCache<number, string>({ max: settledMax });
  /** By deployment, when it was made. */
  readonly #open = new Map<number, number>();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Deployments with all that they prove; those of unknown statuses are left out and told once. */
  entriesOf(deployments: readonly Deployment[]): Entry[] {
    return deployments.flatMap((deployment) => {
      const { id, status, createdAt } = deployment;
      if (isOpen(status)) this.#open.set(id, Date.parse(createdAt));
      else this.#open.delete(id);
      const proofs = provedBy(deployment);
      if (proofs) return [{ deployment, proofs }];
      if (this.#isSettled(deployment)) return [];
      this.#options.onUnknown(status);
      this.settle([deployment]);
      return [];
    });
  }

  /** The changes of entries that are not settled as they are, from an instant on. */
  async changesOf(
    project: Project,
    entries: readonly Entry[],
    fromMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Change[]> {
    const changes: Change[] = [];
    for (const { deployment, proofs } of entries) {
      if (this.#isSettled(deployment)) continue;
      const wanted = proofs.filter(({ at }) => fromMs === undefined || Date.parse(at) >= fromMs);
      changes.push(...(await this.#options.translator.changesOf(project, deployment, wanted, signal)));
    }
    return changes;
  }

  /** The changes of the deployments, as they are by now, are in the log. */
  settle(deployments: readonly Deployment[]): void {
    for (const deployment of deployments) this.#settled.set(deployment.id, appearanceOf(deployment));
  }

  /** The log is another one, or shall get once more what it lacks. */
  forget(): void {
    this.#settled.clear();
  }

  /** Open deployments that were made since an instant. */
  openSince(ms: number): number {
    for (const [id, createdMs] of this.#open) if (createdMs < ms) this.#open.delete(id);
    return this.#open.size;
  }

  #isSettled(deployment: Deployment): boolean {
    return this.#settled.get(deployment.id) === appearanceOf(deployment);
  }
}

function appearanceOf({ status, updatedAt, job }: Deployment): string {
  return [status, updatedAt, job?.startedAt ?? '', job?.finishedAt ?? ''].join(' ');
}
