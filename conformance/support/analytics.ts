import type {
  AnalyticsWindow,
  ChangeFailureRateReport,
  DeploymentEvent,
  DoraReport,
  DurationHistogramReport,
  FrequencyReport,
  HeatmapReport,
  IncidentsReport,
  PromotionFunnelReport,
  StatusDistributionReport,
  TopDeployersReport,
} from '@shiplog/contract';
import type { Answer, WireRequest } from '@shiplog/testing';
import { type Api, bodyOf, type EventFields, type QueryValues, withQuery } from './api.ts';
import type { InstanceOptions } from './target.ts';

/** The nine answers by the last part of their path, and what each says (§4 Analytics, reading 5.3). */
interface Reports {
  readonly dora: DoraReport;
  readonly frequency: FrequencyReport;
  readonly 'change-failure-rate': ChangeFailureRateReport;
  readonly 'duration-histogram': DurationHistogramReport;
  readonly 'promotion-funnel': PromotionFunnelReport;
  readonly 'status-distribution': StatusDistributionReport;
  readonly heatmap: HeatmapReport;
  readonly 'top-deployers': TopDeployersReport;
  readonly incidents: IncidentsReport;
}

export type ReportName = keyof Reports;

export const reportNames: readonly ReportName[] = [
  'dora',
  'frequency',
  'change-failure-rate',
  'duration-histogram',
  'promotion-funnel',
  'status-distribution',
  'heatmap',
  'top-deployers',
  'incidents',
];

/** Those that take `limit`. */
export const rankedNames = ['top-deployers', 'incidents'] as const;

export function pathOf(name: ReportName): string {
  return `/api/analytics/${name}`;
}

/** An event by the day of the window, counted from 1, and the time of that day in UTC. */
export type Placed = readonly [day: number, time: string, fields?: EventFields];

/** What an instance is told about analytics; the default is that of the specification. */
export interface AnalyticsOptions {
  readonly granularity?: 'day' | 'hour';
  readonly promotionOrder?: readonly string[];
  readonly retentionDays?: number;
}

const dayMs = 86_400_000;

/** An instance on a log of its own: what it answers counts the events of the test and nothing else. */
export class Figures {
  readonly #api: Api;
  readonly url: string;
  readonly databaseUrl: string;
  /** The window of seven days that events are placed in. */
  readonly window: AnalyticsWindow;

  private constructor(api: Api, instance: { url: string; databaseUrl: string }, window: AnalyticsWindow) {
    this.#api = api;
    this.url = instance.url;
    this.databaseUrl = instance.databaseUrl;
    this.window = window;
  }

  static async open(api: Api, options: AnalyticsOptions, databaseUrl?: string): Promise<Figures> {
    const {
      granularity = 'day',
      promotionOrder = ['dev', 'staging', 'qa', 'preprod', 'prod'],
      retentionDays = 365,
    } = options;
    const config: NonNullable<InstanceOptions['config']> = {
      analytics: { granularity, promotionOrder },
      historyRetentionDays: retentionDays,
    };
    const instance = await (databaseUrl === undefined
      ? api.lentInstance(config)
      : api.instance({ config, databaseUrl }));
    const { window } = bodyOf<FrequencyReport>(await api.send({ path: pathOf('frequency') }, instance.url));
    return new Figures(api, instance, window);
  }

  /** A further instance on the same log. */
  beside(options: AnalyticsOptions = {}): Promise<Figures> {
    return Figures.open(this.#api, options, this.databaseUrl);
  }

  /** The date of a day of the window: 1 is the first, 8 the one that it ends with, 0 and below lie before it. */
  date(day: number): string {
    return new Date(Date.parse(this.window.from) + (day - 1) * dayMs).toISOString().slice(0, 10);
  }

  at(day: number, time: string): string {
    return `${this.date(day)}T${time.length === 5 ? `${time}:00` : time}Z`;
  }

  /** The instant so many hours after the window begins. */
  hour(hours: number): string {
    return new Date(Date.parse(this.window.from) + hours * 3_600_000).toISOString();
  }

  /** Stores events one after another, each successful, in a slot and of a deployment of its own unless told otherwise. */
  async store(...events: readonly Placed[]): Promise<void> {
    for (const [day, time, fields] of events) await this.append({ happened_at: this.at(day, time), ...fields });
  }

  append(fields: EventFields): Promise<DeploymentEvent> {
    return this.#api.append(fields, {}, this.url);
  }

  send(request: WireRequest): Promise<Answer> {
    return this.#api.send(request, this.url);
  }

  get(name: ReportName, query?: QueryValues, headers: WireRequest['headers'] = {}): Promise<Answer> {
    return this.send({ path: withQuery(pathOf(name), query), headers });
  }

  /** What an endpoint says beside the window. */
  async read<Name extends ReportName>(name: Name, query?: QueryValues): Promise<Omit<Reports[Name], 'window'>> {
    const { window: _, ...said } = bodyOf<Reports[Name]>(await this.get(name, query));
    return said;
  }

  async readWindow(query?: QueryValues): Promise<AnalyticsWindow> {
    return bodyOf<FrequencyReport>(await this.get('frequency', query)).window;
  }

  /** Whether the window has moved on since events were placed in it. */
  async hasMoved(): Promise<boolean> {
    return (await this.readWindow()).to !== this.window.to;
  }
}

/**
 * A test on a log of its own, within one window: where midnight (or the hour) comes between placing events and reading,
 * a failure says nothing, and all is done again in the window that has just begun.
 */
export function inOneWindow(
  api: Api,
  run: (log: Figures) => Promise<void>,
  options: AnalyticsOptions = {},
): () => Promise<void> {
  return async () => {
    const log = await Figures.open(api, options);
    try {
      await run(log);
    } catch (error) {
      if (!(await log.hasMoved())) throw error;
      await run(await Figures.open(api, options));
    }
  };
}
