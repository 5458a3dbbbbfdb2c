import { grouped } from '@shiplog/text';
import type { Queries } from '../db/database.ts';
import { foldEpoch } from '../db/folds/step.ts';
import { type NewSuccess, successesBetween } from '../db/outages.ts';
import { microsOf } from '../domain/micros.ts';
import { type FailedRow, type KnownOutage, knownOutage, rowsOfOutages } from '../domain/outage-figures.ts';
import { isRelease, placesOf } from '../domain/outages.ts';
import type { OutageFacts } from './outage-facts.ts';
import { linked } from './outage-links.ts';

interface OutagesQuestion {
  readonly facts: OutageFacts;
  /** The last environments of the promotion order. */
  readonly lastEnvironments: readonly string[];
  /** Only events before this id count: the position of the folds. */
  readonly below: string;
}

/** All outages with their links at one position of the log. */
export interface KnownOutages {
  /** In the order of the facts. */
  readonly outages: readonly KnownOutage[];
  /** The rows that they are linked to, by id. */
  readonly rows: ReadonlyMap<string, FailedRow>;
}

interface Kept extends KnownOutages, OutagesQuestion {
  readonly epoch: string;
  /** The last event that they take into account. */
  readonly lastId: string | null;
  /** The indexes of the outages that a success may be linked to. */
  readonly affectedBy: (success: NewSuccess) => readonly number[];
}

/** With more new successes, it is quicker to relink all outages. */
const newMax = 2000;

/** Links outages, and relinks only those that later events may affect. */
export class KnownOutagesReader {
  readonly #linkHours: number;
  #kept: Kept | undefined;

  /** @param linkHours how long before an outage a deployment is suspected (`OUTAGE_LINK_HOURS`). */
  constructor(linkHours: number) {
    this.#linkHours = linkHours;
  }

  /** @param queries one snapshot of the folds. */
  async read(queries: Queries, { facts, lastEnvironments, below }: OutagesQuestion): Promise<KnownOutages> {
    const question = { facts, lastEnvironments, below };
    const kept = this.#kept;
    const { epoch, lastId, hasKnown } = await foldEpoch(queries, kept?.lastId ?? null);
    const isUsable = kept && hasKnown && kept.epoch === epoch && isSame(kept, question) && kept.below <= below;
    const fresh = isUsable ? await successesBetween(queries, { from: kept.below, below, limit: newMax }) : [];
    const isKept = isUsable && fresh.length < newMax;
    const known = isKept ? await this.#follow(queries, { ...kept, below }, fresh) : await this.#read(queries, question);
    this.#kept = { ...known, ...question, epoch, lastId };
    return this.#kept;
  }

  async #read(queries: Queries, question: OutagesQuestion) {
    const { outages: states } = question.facts;
    const outages = (await linked(states, { queries, ...question, linkHours: this.#linkHours })).map(knownOutage);
    return { outages, rows: rowsOfOutages(outages), affectedBy: affectedBy(outages, question.lastEnvironments) };
  }

  async #follow(queries: Queries, kept: Kept, fresh: readonly NewSuccess[]) {
    const affected = [...new Set(fresh.flatMap(kept.affectedBy))];
    if (affected.length === 0) return kept;
    const states = affected.flatMap((index) => kept.facts.outages[index] ?? []);
    const { lastEnvironments, below } = kept;
    const again = await linked(states, { queries, lastEnvironments, below, linkHours: this.#linkHours });
    const outages = [...kept.outages];
    for (const [at, index] of affected.entries()) {
      const outage = again[at];
      if (outage) outages[index] = knownOutage(outage);
    }
    return { outages, rows: rowsOfOutages(outages), affectedBy: kept.affectedBy };
  }
}

function isSame(one: OutagesQuestion, other: OutagesQuestion): boolean {
  const places = ({ lastEnvironments }: OutagesQuestion) => JSON.stringify(lastEnvironments);
  return one.facts.revision === other.facts.revision && places(one) === places(other);
}

function affectedBy(outages: readonly KnownOutage[], lastEnvironments: readonly string[]): Kept['affectedBy'] {
  const entries = outages.flatMap(({ outage, openedMicros }, index) => {
    const entry = (...key: readonly string[]) => ({ key: JSON.stringify(key), index, openedMicros });
    const cause = outage.caused_by;
    if (cause && isRelease(cause)) return [entry('release', cause.service, cause.version)];
    if (cause) return [entry('deployment', String(cause.deployment_id))];
    const { services, environments } = placesOf(outage, lastEnvironments);
    return services.flatMap((service) => environments.map((environment) => entry('slot', service, environment)));
  });
  const byKey = grouped(entries, ({ key }) => key);
  return ({ service, environment, deployment_id, at, version, sha }) => {
    const found = (...key: readonly (string | null)[]) => byKey.get(JSON.stringify(key)) ?? [];
    const micros = microsOf(at);
    const suspects = found('slot', service, environment).filter(({ openedMicros }) => micros <= openedMicros);
    const named = [
      ...found('deployment', deployment_id),
      ...found('release', service, version),
      ...found('release', service, sha),
    ];
    return [...suspects, ...named].map(({ index }) => index);
  };
}
