import type { Clock } from '@shiplog/client';
import type { Logger } from 'pino';
import type { Context, Source, SourceTimes } from '../adapter.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { Budget } from '../domain/budget.ts';
import { compileMapping, type Mapping, type MappingRules } from '../domain/mapping.ts';
import { ToolConnection, type ToolConnectionOptions } from '../tool/tool-connection.ts';

type ConnectOptions = Pick<ToolConnectionOptions, 'clock' | 'requestsPerMinute' | 'observer'>;

export interface OpenOptions extends MappingRules {
  readonly connection: ToolConnection;
  readonly times: SourceTimes;
  readonly clock: Clock;
  readonly log: Logger;
  unknownStatus(status: string): void;
}

export function connectTo({ baseUrl, budgetPercent, quota }: SourceConfig, options: ConnectOptions): ToolConnection {
  return new ToolConnection({ ...options, baseUrl, budget: new Budget({ percent: budgetPercent, quota }) });
}

export function openSource(
  { adapter, id, baseUrl, token, places, values }: SourceConfig,
  { connection, times, clock, log, unknownStatus, rules, environments }: OpenOptions,
): { readonly source: Source; readonly mapping: Mapping } {
  const http: Context['http'] = (tool) => connection.http(tool);
  const source = adapter.open({ id, values, baseUrl, token, places, times, http, clock, log, unknownStatus });
  return { source, mapping: compileMapping({ rules, environments }, source.defaults) };
}
