import type { DeploymentEvent, Hold, Outage } from '@shiplog/contract';
import { micros } from '@shiplog/testing';
import { inside, median, oldestFirst, type PlainWindow, type Rows } from './plain-analytics.ts';
import { plainSuccesses } from './plain-stability.ts';

/** The figures about outages as outages.md 2, 3 and 7 define them, from lists and by the simplest possible code. */

type Unlinked = Omit<Outage, 'links' | 'reason'>;

export interface Observed {
  readonly rows: Rows;
  readonly outages: readonly Unlinked[];
  /** Bad versions. Their globs are names or `*`. */
  readonly holds: readonly Hold[];
  readonly window: PlainWindow;
  /** The service of the scope. */
  readonly service: string | undefined;
  readonly countsSuspected: boolean;
}

const linkHours = 4;
const hourMicros = 3_600_000_000n;
const everything = { days: 0, from: '1970-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
const at = (text: string) => micros({ happened_at: text });
const isProduction = ({ environment }: DeploymentEvent) => environment.toLowerCase() === 'prod';

function productionNames(rows: Rows): string[] {
  const names = [...new Set(rows.filter(isProduction).map(({ environment }) => environment))];
  return names.length === 0 ? ['prod'] : names;
}

function placesOf({ services, environments }: Unlinked, rows: Rows) {
  return {
    services: services ?? [],
    environments: environments?.length ? environments : productionNames(rows),
  };
}

interface PlainLink {
  readonly rule: 'named' | 'suspected';
  readonly row: DeploymentEvent;
}

/** The links from an outage to deployments, newest first, or the reason why it has none. */
export function plainLinks(outage: Unlinked, rows: Rows): readonly PlainLink[] | string {
  if (outage.state === 'dismissed') return 'dismissed';
  if (outage.not_by_deployment) return 'not-by-deployment';
  const successes = oldestFirst(rows.filter(({ status }) => status === 'success'));
  const opened = at(outage.opened_at);
  const before = (some: Rows) => some.filter((row) => micros(row) <= opened).at(-1);
  const { services, environments } = placesOf(outage, rows);
  const cause = outage.caused_by as { deployment_id?: string; service?: string; version?: string } | null;
  const found: PlainLink[] = [];
  if (cause?.deployment_id !== undefined) {
    const own = successes.filter(({ deployment_id }) => deployment_id === cause.deployment_id);
    const row = before(own.filter(({ environment }) => environments.includes(environment))) ?? before(own) ?? own[0];
    if (row) found.push({ rule: 'named', row });
  } else if (cause) {
    for (const environment of environments) {
      const own = successes.filter(
        (row) =>
          row.service === cause.service &&
          row.environment === environment &&
          (row.version === cause.version || row.sha === cause.version),
      );
      const row = before(own) ?? own[0];
      if (row) found.push({ rule: 'named', row });
    }
  }
  if (cause) return found.length > 0 ? newest(found) : 'unknown-deployment';
  if (services.length === 0) return 'no-service';
  for (const service of services) {
    for (const environment of environments) {
      const row = before(successes.filter((each) => each.service === service && each.environment === environment));
      if (row && opened - micros(row) <= BigInt(linkHours) * hourMicros) found.push({ rule: 'suspected', row });
    }
  }
  return found.length > 0 ? newest(found) : 'no-deployment-in-time';
}

function newest(links: readonly PlainLink[]): PlainLink[] {
  const order = oldestFirst(links.map(({ row }) => row)).map(({ id }) => id);
  return links.toSorted((one, other) => order.indexOf(other.row.id) - order.indexOf(one.row.id));
}

const ranks = ['named', 'rolled-back', 'marked-bad', 'suspected'];

export function plainObserved({ rows, outages, holds, window, service, countsSuspected }: Observed) {
  const linked = outages.map((outage) => ({ outage, links: plainLinks(outage, rows) }));
  const linksTo = (row: DeploymentEvent) =>
    linked.flatMap(({ outage, links }) =>
      typeof links === 'string'
        ? []
        : links.filter((link) => link.row.id === row.id).map(({ rule }) => ({ outage, rule })),
    );
  const rollbacks = plainSuccesses(rows, everything).flatMap(({ row, rollback }) =>
    rollback ? [{ row, replaced: rollback[0], restored: rollback[1] }] : [],
  );
  const marked = holds.flatMap((hold) => {
    const matches = (globs: readonly string[], name: string) => globs.includes('*') || globs.includes(name);
    const own = oldestFirst(rows).filter(
      (row) =>
        row.status === 'success' &&
        matches(hold.services, row.service) &&
        matches(hold.environments, row.environment) &&
        (row.version === hold.version || row.sha === hold.version) &&
        micros(row) <= at(hold.created_at),
    );
    const slots = new Set(own.map((row) => JSON.stringify([row.service, row.environment])));
    return [...slots].map((slot) => ({
      hold,
      row: own.filter((row) => JSON.stringify([row.service, row.environment]) === slot).at(-1),
    }));
  });
  const verdictOf = (row: DeploymentEvent) => {
    const links = linksTo(row);
    const rollback = rollbacks.find(({ replaced }) => replaced.id === row.id);
    const bad = marked.filter((one) => one.row?.id === row.id).map(({ hold }) => hold.id);
    const rules = [
      ...links.map(({ rule }) => rule),
      ...(rollback ? ['rolled-back'] : []),
      ...bad.map(() => 'marked-bad'),
    ];
    const rule = ranks.find((rank) => rules.includes(rank)) ?? null;
    return { links, rollback, bad, rule, isFailed: rule !== null && (rule !== 'suspected' || countsSuspected) };
  };
  const scoped = { ...window, includes: (row: DeploymentEvent) => service === undefined || row.service === service };
  const all = oldestFirst(inside(rows, scoped).filter(({ status }) => status === 'success')).reverse();
  const judged = all.filter(isProduction);
  const opened = linked
    .filter(({ outage }) => at(outage.opened_at) >= at(window.from) && at(outage.opened_at) < at(window.to))
    .filter(({ outage }) => service === undefined || (outage.services ?? []).includes(service));
  const detects = opened.map(({ outage, links }) => {
    if (typeof links === 'string') return { value: null, reason: links };
    const [first] = links;
    if (!first) throw new Error('an empty list of links');
    if (first.rule === 'suspected' && !countsSuspected) return { value: null, reason: 'suspected' };
    const value = Number(at(outage.opened_at) - micros(first.row)) / 60_000_000;
    return { value, reason: value > 0 ? null : 'not-positive' };
  });
  const restores = opened.map(({ outage: { state, minutes } }) =>
    state === 'resolved'
      ? { value: minutes, reason: minutes === null ? 'not-opened' : null }
      : { value: null, reason: state },
  );
  const counted = (some: readonly { value: number | null; reason: string | null }[]) =>
    some.flatMap(({ value, reason }) => (value !== null && reason === null ? [value] : []));
  const reasons = opened.flatMap(({ links }) => (typeof links === 'string' ? [links] : []));
  return {
    rate: judged.length === 0 ? null : judged.filter((row) => verdictOf(row).isFailed).length / judged.length,
    restore: median(counted(restores)),
    detect: median(counted(detects)),
    counts: {
      count: opened.length,
      linked: opened.filter(({ links }) => typeof links !== 'string' && links[0]?.rule === 'named').length,
      suspected: opened.filter(({ links }) => typeof links !== 'string' && links[0]?.rule === 'suspected').length,
      reasons: reasons.toSorted(),
    },
    rateItems: all.map((row) => {
      const { links, rollback, bad, rule, isFailed } = verdictOf(row);
      const isCounted = isProduction(row);
      return {
        ...{ service: row.service, environment: row.environment, deployment_id: row.deployment_id },
        ...{ at: row.happened_at, value: isCounted ? Number(isFailed) : null, counted: isCounted },
        reason: isCounted ? null : 'not-production',
        event_ids: [row.id, ...(rollback ? [rollback.row.id] : [])],
        rule,
        outages: links.map(({ outage }) => outage.outage_id).sort(),
        holds: bad.toSorted(),
        undone: rollback ? undoneBy(rollback, rows) : [],
      };
    }),
    restoreItems: opened.map(({ outage }, index) => ({ id: outage.outage_id, ...restores[index] })),
    detectItems: opened.map(({ outage, links }, index) => ({
      id: outage.outage_id,
      ...detects[index],
      event_ids: typeof links === 'string' ? [] : links.slice(0, 1).map(({ row }) => row.id),
    })),
  };
}

/** The releases that succeeded in the slot after the restored one last did, newest first. */
function undoneBy({ row, restored }: { row: DeploymentEvent; restored: DeploymentEvent }, rows: Rows) {
  const slot = oldestFirst(
    rows.filter(
      (each) => each.status === 'success' && each.service === row.service && each.environment === row.environment,
    ),
  );
  const ids = slot.map(({ id }) => id);
  const between = slot
    .slice(ids.indexOf(restored.id) + 1, ids.indexOf(row.id))
    .filter(({ version, sha }) => version || sha);
  const names = new Set<string>();
  return between.reverse().flatMap(({ version, sha }) => {
    const name = version ? `version ${version}` : `sha ${sha}`;
    if (names.has(name)) return [];
    names.add(name);
    return [{ version: version || null, sha: sha || null }];
  });
}
