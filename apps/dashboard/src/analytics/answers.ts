import type { AnalyticsName, AnswerOf, EvidenceFigure, EvidenceReason, endpoints } from '@shiplog/contract';
import type { Chart } from './chart-card.tsx';
import { deployersChart } from './deployers-chart.tsx';
import { durationsChart } from './durations-chart.tsx';
import * as formulas from './evidence/sentence.ts';
import { failureRateChart } from './failure-rate-chart.tsx';
import { type KpiName, kpiTexts } from './figures.ts';
import { frequencyChart } from './frequency-chart.tsx';
import { funnelChart } from './funnel-chart.tsx';
import { heatmapChart } from './heatmap-chart.tsx';
import { incidentsChart } from './incidents-chart.tsx';
import { stabilityChart } from './stability-chart.tsx';
import { statusesChart } from './statuses-chart.tsx';
import { timeChart } from './time-chart.tsx';

export type ReportOf<Name extends AnalyticsName> = AnswerOf<(typeof endpoints)[Name]>;

/** An analytics response: the call that requests it, its chart, and the figures in it that have evidence. */
export type AnswerRow = {
  readonly [Name in AnalyticsName]: {
    readonly call: Name;
    readonly chart: Chart<ReportOf<Name>>;
    /** The response is a list. The page requests its maximum length. */
    readonly isList?: true;
    /** The call ignores the environment filter, because a promotion passes through every environment. */
    readonly isOfAllEnvironments?: true;
    readonly figures?: { readonly [Figure in EvidenceFigure]?: FigureRow };
  };
}[AnalyticsName];

/** How the evidence explains a figure; `production` is the name of that environment. */
interface FigureRow {
  /** The title of the evidence; by default, the title of the chart. */
  readonly title?: string;
  readonly says: (production: string) => string;
  readonly formula: formulas.Formula;
  /** The unit of the items, if the items are times. */
  readonly times?: 'hours' | 'minutes';
  /** Each item is about the history of a slot rather than one deployment. */
  readonly isOfSlot?: true;
  readonly reasons: (production: string) => { readonly [Reason in EvidenceReason]?: ReasonWords };
}

/** Why the figure leaves out an item, and what to do about it. */
interface ReasonWords {
  readonly what: string;
  readonly todo: string;
  /** The cause is a problem in the log, which the log quality page shows. */
  readonly isFault?: boolean;
}

const notTerminal = {
  what: 'Earlier events of a deployment',
  todo: 'A deployment counts once, by its final event. Its earlier events are listed here, and so are running deployments. No action needed.',
};
const ofIncidents = {
  open: {
    what: 'Not restored yet',
    todo: 'Counted at the next success of this service in this environment.',
  },
  'repeated-failure': {
    what: 'Failed again',
    todo: 'Part of the previous failure, which is counted. No action needed.',
  },
};

/** The four keys. They share one response; each key has its own card. */
const keyFigures: Readonly<Record<KpiName, FigureRow>> = {
  deployment_frequency: {
    title: kpiTexts.deployment_frequency.title,
    says: () => 'Each success and each failure counts once; a deployment that is run again counts again.',
    formula: formulas.perDay,
    reasons: () => ({ 'not-terminal': notTerminal }),
  },
  lead_time: {
    title: kpiTexts.lead_time.title,
    says: (production) =>
      `Time from the first event of a chain of promotions to its success in ${production}. It does not start at the commit, because commit times are not in the log.`,
    formula: formulas.median,
    times: 'hours',
    reasons: (production) => ({
      'not-production': {
        what: `Not in ${production}`,
        todo: `Only deployments that reached ${production} have a lead time. No action needed.`,
      },
      'no-parents': {
        what: `No promotion path to ${production} was reported`,
        todo: 'The events name no parent deployment. Send parent_deployments to count them.',
      },
      'unknown-parent': {
        what: 'A parent is missing',
        todo: 'An event of the promotion path is missing: it may be in another log, or may have been pruned. Post events from the build, too.',
        isFault: true,
      },
      'not-positive': {
        what: 'Ended before it began',
        todo: 'A clock was wrong. Correct it on the machine that posted the event.',
        isFault: true,
      },
    }),
  },
  change_failure_rate: {
    title: kpiTexts.change_failure_rate.title,
    says: () =>
      'A deployment that succeeded and broke something later does not count as a failure: the log can’t know.',
    formula: formulas.failureRate,
    reasons: () => ({ 'not-terminal': notTerminal }),
  },
  time_to_restore: {
    title: kpiTexts.time_to_restore.title,
    says: () => 'Time from a service’s first failure in an environment to its next success there.',
    formula: formulas.median,
    times: 'minutes',
    isOfSlot: true,
    reasons: () => ofIncidents,
  },
};

/** The charts of the page, in order. To add one, add a row here and its chart. */
export const answers = {
  frequency: { call: 'getFrequency', chart: frequencyChart },
  stages: {
    call: 'getStages',
    chart: timeChart,
    figures: {
      stages: {
        says: () => 'A status lasts from its first event to the next event of another status.',
        formula: formulas.percentilesByStatus,
        times: 'minutes',
        reasons: () => ({
          open: {
            what: 'Not over yet',
            todo: 'Counted once its next status arrives. If the deployment is over, post its final status.',
            isFault: true,
          },
        }),
      },
    },
  },
  stability: {
    call: 'getStability',
    chart: stabilityChart,
    figures: {
      rollbacks: {
        title: 'Rollbacks',
        says: () =>
          'A success that brings back a release that ran there earlier. Derived from versions, not from intent.',
        formula: formulas.shareOfSuccesses,
        isOfSlot: true,
        reasons: () => ({
          'no-release': {
            what: 'No version and no commit',
            todo: 'The release is unknown. Send version or sha.',
            isFault: true,
          },
          'no-rollback': {
            what: 'No earlier release',
            todo: 'The deployment brought a new release, or the same one again. No action needed.',
          },
        }),
      },
      rework: {
        title: 'Reworked',
        says: () => 'A success that is a rollback, or that follows a failure within 24 hours.',
        formula: formulas.shareOfSuccesses,
        isOfSlot: true,
        reasons: () => ({
          'no-rework': {
            what: 'Not a recovery',
            todo: 'The deployment was not a rollback and did not follow a failure. No action needed.',
          },
        }),
      },
    },
  },
  failureRate: { call: 'getChangeFailureRate', chart: failureRateChart },
  durations: {
    call: 'getDurationHistogram',
    chart: durationsChart,
    figures: {
      durations: {
        says: () => 'Time from a deployment’s first event to its last.',
        formula: formulas.percentiles,
        times: 'minutes',
        reasons: () => ({
          'single-row': {
            what: 'Only one event',
            todo: 'A duration needs a start and an end. Post an event when the deployment starts, too.',
          },
        }),
      },
    },
  },
  funnel: {
    call: 'getPromotionFunnel',
    chart: funnelChart,
    isOfAllEnvironments: true,
    figures: {
      promotion_funnel: {
        says: () =>
          'A deployment counts once in each stage of the promotion order in which it has an event of any status.',
        formula: formulas.countsByStage,
        reasons: () => ({
          'outside-ladder': {
            what: 'Not in the promotion order',
            todo: 'Add its environment to ANALYTICS_FUNNEL_ENVIRONMENTS if releases have to pass through it.',
          },
        }),
      },
    },
  },
  statuses: { call: 'getStatusDistribution', chart: statusesChart },
  heatmap: { call: 'getHeatmap', chart: heatmapChart },
  deployers: { call: 'getTopDeployers', chart: deployersChart, isList: true },
  incidents: {
    call: 'getIncidents',
    chart: incidentsChart,
    isList: true,
    figures: {
      incidents: {
        says: () =>
          'An incident begins with a service’s failure in an environment and ends with its next success there.',
        formula: formulas.asReported,
        times: 'minutes',
        isOfSlot: true,
        reasons: () => ofIncidents,
      },
    },
  },
} as const satisfies Readonly<Record<string, AnswerRow>>;

type Answers = typeof answers;
type FiguresOf<Row> = Row extends { readonly figures: infer Figures } ? keyof Figures : never;
type Figure = KpiName | { [Name in keyof Answers]: FiguresOf<Answers[Name]> }[keyof Answers];

const rows: Readonly<Record<Figure, FigureRow & Pick<AnswerRow, 'isOfAllEnvironments'>>> = Object.assign(
  { ...keyFigures },
  ...Object.values<AnswerRow>(answers).map(({ figures = {}, chart: { title }, isOfAllEnvironments }) =>
    Object.fromEntries(Object.entries(figures).map(([name, row]) => [name, { title, isOfAllEnvironments, ...row }])),
  ),
);

/** The code doesn't compile if a figure of the contract has no row. */
export function figureRow(figure: EvidenceFigure) {
  return { title: figure, ...rows[figure] };
}

/** The words for a reason; its code if this version doesn't know the reason. */
export function reasonWords(reason: EvidenceReason, figure: EvidenceFigure, production: string): ReasonWords {
  return rows[figure].reasons(production)[reason] ?? { what: reason, todo: '' };
}
