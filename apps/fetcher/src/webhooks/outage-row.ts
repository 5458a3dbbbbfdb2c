import { limits, OutageRequest } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import { cut, cutName, storable } from '../domain/mapping.ts';

/** What a tool reports about an outage. Empty strings mean unknown. */
export interface OutageNews {
  readonly id: string;
  readonly state: OutageRequest['state'];
  /** RFC 3339. */
  readonly at: string;
  readonly services: readonly string[];
  readonly environments: readonly string[];
  readonly severity?: string;
  readonly title?: string;
  readonly url?: string;
}

const urlErrors = compileValidator(OutageRequest.properties.url);

/** The row, cut to the service's limits. The source is the name of the webhook. */
export function outageRow(source: string, news: OutageNews): OutageRequest {
  const { id, state, at, severity = '', title = '', url = '' } = news;
  const services = names(news.services, limits.service);
  const environments = names(news.environments, limits.environment);
  const isUrl = url !== '' && urlErrors(url).length === 0;
  return {
    source,
    outage_id: cutName(storable(id), limits.outageId),
    state,
    happened_at: at,
    ...(services.length > 0 && { services }),
    ...(environments.length > 0 && { environments }),
    ...(severity !== '' && { severity: cut(storable(severity), limits.outageSeverity) }),
    ...(title !== '' && { title: cut(storable(title), limits.outageTitle) }),
    ...(isUrl && { url }),
  };
}

function names(texts: readonly string[], charactersMax: number): string[] {
  const found = texts.map((text) => cutName(storable(text), charactersMax)).filter((text) => text !== '');
  return [...new Set(found)].slice(0, limits.globs);
}
