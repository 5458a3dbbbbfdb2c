import type { EvidenceReason, OutageReason, ProvableFigure } from '@shiplog/contract';
import { keyTexts, outageTexts } from '../figures.ts';
import * as formulas from './sentence.ts';

type AnyReason = EvidenceReason | OutageReason;

/** How the evidence explains a figure. */
interface FigureRow {
  readonly title: string;
  readonly says: string;
  readonly formula: formulas.Formula;
  /** The unit of the items, if the items are times. */
  readonly times?: 'hours' | 'minutes';
  /** Each item is about the history of a slot rather than one deployment. */
  readonly isOfSlot?: true;
  /** The call ignores the environment filter, because a promotion passes through every environment. */
  readonly isOfAllEnvironments?: true;
  readonly reasons: { readonly [Reason in AnyReason]?: ReasonWords };
}

/** Why the figure leaves out an item, and what to do about it. */
interface ReasonWords {
  readonly what: string;
  readonly todo: string;
  /** The cause is a problem in the log, which the data quality tab shows. */
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

const ofOutages: FigureRow['reasons'] = {
  dismissed: { what: 'False alarm', todo: 'Someone dismissed it. No action needed.' },
  open: { what: 'Still open', todo: 'Counted once it is resolved.' },
  'not-opened': {
    what: 'Its start was not reported',
    todo: 'Have the tool report when an outage opens, too.',
    isFault: true,
  },
  'not-by-deployment': { what: 'No deployment caused it', todo: 'Someone reported this. No action needed.' },
  'unknown-deployment': {
    what: 'The named deployment is not in the log',
    todo: 'Name another one with shiplog outage blame, or post the missing events.',
    isFault: true,
  },
  'no-service': { what: 'It names no service', todo: 'Have the tool name the service.', isFault: true },
  'no-deployment-in-time': {
    what: 'No deployment shortly before',
    todo: 'If a deployment caused it, name it with shiplog outage blame.',
  },
  suspected: {
    what: 'The cause is only suspected',
    todo: 'Confirm the deployment on the board while the outage is open, or with shiplog outage blame.',
  },
  'not-positive': {
    what: 'It opened before its deployment ended',
    todo: 'Name the deployment that caused it with shiplog outage blame.',
  },
};

/** The code doesn't compile if a figure of the contract has no row. */
const rows: Readonly<Record<ProvableFigure, FigureRow>> = {
  deployment_frequency: {
    title: keyTexts.deployment_frequency.title,
    says: 'Each success and each failure counts once; a deployment that is run again counts again.',
    formula: formulas.perDay,
    reasons: { 'not-terminal': notTerminal },
  },
  lead_time: {
    title: keyTexts.lead_time.title,
    says: 'Time from the first event of a chain of promotions to its success in production. It does not start at the commit, because commit times are not in the log.',
    formula: formulas.median,
    times: 'hours',
    reasons: {
      'not-production': {
        what: 'Not in production',
        todo: 'Only deployments that reached production have a lead time. No action needed.',
      },
      'no-parents': {
        what: 'No promotion path to production was reported',
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
    },
  },
  change_failure_rate: {
    title: keyTexts.change_failure_rate.title,
    says: 'A deployment that succeeded and broke something later does not count as a failure: the log can’t know.',
    formula: formulas.failureRate,
    reasons: { 'not-terminal': notTerminal },
  },
  time_to_restore: {
    title: keyTexts.time_to_restore.title,
    says: 'Time from a service’s first failure in an environment to its next success there.',
    formula: formulas.median,
    times: 'minutes',
    isOfSlot: true,
    reasons: ofIncidents,
  },
  stages: {
    title: 'Time in each status',
    says: 'A status lasts from its first event to the next event of another status.',
    formula: formulas.percentilesByStatus,
    times: 'minutes',
    reasons: {
      open: {
        what: 'Not over yet',
        todo: 'Counted once its next status arrives. If the deployment is over, post its final status.',
        isFault: true,
      },
    },
  },
  rollbacks: {
    title: 'Rollbacks',
    says: 'A success that brings back a release that ran there earlier. Derived from versions, not from intent.',
    formula: formulas.shareOfSuccesses,
    isOfSlot: true,
    reasons: {
      'no-release': {
        what: 'No version and no commit',
        todo: 'The release is unknown. Send version or sha.',
        isFault: true,
      },
      'no-rollback': {
        what: 'No earlier release',
        todo: 'The deployment brought a new release, or the same one again. No action needed.',
      },
    },
  },
  rework: {
    title: 'Reworked',
    says: 'A success that is a rollback, or that follows a failure within 24 hours.',
    formula: formulas.shareOfSuccesses,
    isOfSlot: true,
    reasons: {
      'no-rework': {
        what: 'Not a recovery',
        todo: 'The deployment was not a rollback and did not follow a failure. No action needed.',
      },
    },
  },
  durations: {
    title: 'Durations',
    says: 'Time from a deployment’s first event to its last.',
    formula: formulas.percentiles,
    times: 'minutes',
    reasons: {
      'single-row': {
        what: 'Only one event',
        todo: 'A duration needs a start and an end. Post an event when the deployment starts, too.',
      },
    },
  },
  promotion_funnel: {
    title: 'Promotion',
    isOfAllEnvironments: true,
    says: 'A deployment counts once in each stage of the promotion order in which it has an event of any status.',
    formula: formulas.countsByStage,
    reasons: {
      'outside-ladder': {
        what: 'Not in the promotion order',
        todo: 'Add its environment to ANALYTICS_FUNNEL_ENVIRONMENTS if releases have to pass through it.',
      },
    },
  },
  change_failure_rate_observed: {
    title: outageTexts.change_failure_rate_observed.title,
    says: 'A success counts as failed if an outage names it, a rollback replaced it, or its release was marked as bad. A failure that becomes known later changes the past.',
    formula: formulas.asReported,
    reasons: {
      'not-production': { what: 'Not in production', todo: 'Only deployments to production count. No action needed.' },
    },
  },
  time_to_restore_observed: {
    title: outageTexts.time_to_restore_observed.title,
    says: 'How long each outage was open in total. A gap of up to 30 minutes between a resolution and a reopening counts as open.',
    formula: formulas.median,
    times: 'minutes',
    reasons: ofOutages,
  },
  time_to_detect: {
    title: outageTexts.time_to_detect.title,
    says: 'Time from the named deployment to the beginning of its outage.',
    formula: formulas.median,
    times: 'minutes',
    reasons: ofOutages,
  },
  incidents: {
    title: 'Incidents',
    says: 'An incident begins with a service’s failure in an environment and ends with its next success there.',
    formula: formulas.asReported,
    times: 'minutes',
    isOfSlot: true,
    reasons: ofIncidents,
  },
};

export function figureRow(figure: ProvableFigure): FigureRow {
  return rows[figure];
}

/** The words for a reason; its code if this version doesn't know the reason. */
export function reasonWords(reason: AnyReason, figure: ProvableFigure): ReasonWords {
  return rows[figure].reasons[reason] ?? { what: reason, todo: '' };
}
