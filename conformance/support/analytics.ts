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
import { type Api, bodyOf, type EventFields, type InstanceOptions, type QueryValues, withQuery } from './api.ts';

/** The shapes of the nine responses, by the last part of their path (§4 Analytics, reading 5.3). */
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

/** The reports that accept `limit`. */
export const rankedNames = ['top-deployers', 'incidents'] as const;

export function pathOf(name: ReportName): string {
  return `/api/analytics/${name}`;
}

/** An event with its day in the window (counted from 1) and its UTC time. */
export type Placed = readonly [day: number, time: string, fields?: EventFields];

/** An instance's settings for analytics; the defaults are those of the specification. */
export interface AnalyticsOptions {
  readonly granularity?: 'day' | 'hour';
  /** The name of each stage, with its globs if it has several environments. */
  readonly promotionOrder?: readonly (string | { readonly name: string; readonly globs: readonly string[] })[];
  readonly retentionDays?: number;
}

const dayMs = 86_400_000;

/** An instance on a separate log, so that its figures count only the events of the test. */
export class Figures {
  readonly #api: Api;
  readonly url: string;
  readonly databaseUrl: string;
  /** The seven-day window in which the test places events. */
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
      analytics: {
        granularity,
        promotionOrder: promotionOrder.map((stage) => (typeof stage === 'string' ? { name: stage } : stage)),
      },
      historyRetentionDays: retentionDays,
    };
    const instance = await (databaseUrl === undefined
      ? api.lentInstance(config)
      : api.instance({ config, databaseUrl }));
    const { window } = bodyOf<FrequencyReport>(await api.send({ path: pathOf('frequency') }, instance.url));
    return new Figures(api, instance, window);
  }

  /** Opens another instance on the same log. */
  beside(options: AnalyticsOptions = {}): Promise<Figures> {
    return Figures.open(this.#api, options, this.databaseUrl);
  }

  /**
   * The date of a day in the window. 1 is the first day, the window ends at the start of day 8, and day 0 is before it.
   */
  date(day: number): string {
    return new Date(Date.parse(this.window.from) + (day - 1) * dayMs).toISOString().slice(0, 10);
  }

  at(day: number, time: string): string {
    return `${this.date(day)}T${time.length === 5 ? `${time}:00` : time}Z`;
  }

  /** The time this many hours after the window begins. */
  hour(hours: number): string {
    return new Date(Date.parse(this.window.from) + hours * 3_600_000).toISOString();
  }

  /** Stores events in order. By default, each is a success in a separate slot and deployment. */
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

  /** Reads an endpoint's response without the window. */
  async read<Name extends ReportName>(name: Name, query?: QueryValues): Promise<Omit<Reports[Name], 'window'>> {
    const { window: _, ...said } = bodyOf<Reports[Name]>(await this.get(name, query));
    return said;
  }

  async readWindow(query?: QueryValues): Promise<AnalyticsWindow> {
    return bodyOf<FrequencyReport>(await this.get('frequency', query)).window;
  }

  /** Whether the window has moved since the test placed events in it. */
  async hasMoved(): Promise<boolean> {
    return (await this.readWindow()).to !== this.window.to;
  }
}

/**
 * Runs a test on a separate log within one window. If the test fails and the window has moved since its start (at
 * midnight or on the hour), the test runs again in the next window.
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
