import type { Finding } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { listEnvironments, listServices } from '../db/discovery.ts';
import { outageFindings } from '../domain/outage-findings.ts';
import { placesOf, withinScope } from '../domain/outages.ts';
import { lastEnvironments } from '../domain/promotion-order.ts';
import type { Scope } from '../domain/scope.ts';
import type { FigureSettings } from './figures.ts';
import type { OutageFacts } from './outage-facts.ts';

interface JudgeRequest extends FigureSettings {
  readonly facts: OutageFacts;
  readonly scope: Scope | undefined;
  /** Only events before this id count. */
  readonly below: string;
  /** The database's clock in milliseconds since 1970. */
  readonly now: number;
}

/** The findings about the outages in a scope. */
export async function judgeOutages(queries: Queries, request: JudgeRequest): Promise<Finding[]> {
  const { facts, scope, below, now, promotionOrder, knownOutages } = request;
  if (facts.outages.length === 0) return [];
  const last = lastEnvironments(await listEnvironments(queries), promotionOrder);
  const isInScope = withinScope(scope);
  const { outages } = await knownOutages.read(queries, { facts, below, lastEnvironments: last });
  return outageFindings({
    outages: outages.map(({ outage }) => outage).filter((outage) => isInScope(placesOf(outage, last))),
    ...{ resolvedEarly: facts.resolvedEarly, services: new Set(await listServices(queries)) },
    ...{ lastEnvironments: last, now },
  });
}
