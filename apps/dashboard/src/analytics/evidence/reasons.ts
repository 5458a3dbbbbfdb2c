import type { EvidenceFigure, EvidenceReason } from '@shiplog/contract';

/** Why something is left out, and what to do about it. */
export interface ReasonWords {
  readonly what: string;
  readonly todo: string;
  /** The log is at fault, and the page about its quality says where. */
  readonly isFault?: boolean;
}

/** How production is called is part of some. */
const words: Readonly<Record<EvidenceReason, (production: string) => ReasonWords>> = {
  'not-terminal': () => ({
    what: 'Earlier events of a deployment',
    todo: 'A deployment counts once, by its final event. Its earlier events are listed here, and so are running deployments. No action needed.',
  }),
  'not-production': (production) => ({
    what: `Not in ${production}`,
    todo: `Only deployments that reached ${production} have a lead time. No action needed.`,
  }),
  'no-parents': (production) => ({
    what: `No promotion path to ${production} was reported`,
    todo: 'The events name no parent deployment. Send parent_deployments to count them.',
  }),
  'unknown-parent': () => ({
    what: 'A parent is missing',
    todo: 'An event of the promotion path is missing: it may be in another log or was pruned. Post events from the build, too.',
    isFault: true,
  }),
  'not-positive': () => ({
    what: 'Ended before it began',
    todo: 'A clock was wrong. Correct it on the machine that posted the event.',
    isFault: true,
  }),
  'single-row': () => ({
    what: 'Only one event',
    todo: 'A duration needs a start and an end. Post an event when the deployment starts, too.',
  }),
  open: () => ({
    what: 'Not restored yet',
    todo: 'Counted at the next success of this service in this environment.',
  }),
  'repeated-failure': () => ({
    what: 'Failed again',
    todo: 'Part of the previous failure, which is counted. No action needed.',
  }),
  'outside-ladder': () => ({
    what: 'Not in the promotion order',
    todo: 'Add its environment to ANALYTICS_FUNNEL_ENVIRONMENTS if releases have to pass through it.',
  }),
  'no-release': () => ({
    what: 'No version and no commit',
    todo: 'The release is unknown. Send version or sha.',
    isFault: true,
  }),
  'no-rollback': () => ({
    what: 'No earlier release',
    todo: 'The deployment brought a new release, or the same one again. No action needed.',
  }),
  'no-rework': () => ({
    what: 'Restored nothing',
    todo: 'The deployment was not a rollback and did not follow a failure. No action needed.',
  }),
};

/** A reason in words. Of a status, "open" is that nothing ended it. */
export function reasonWords(reason: EvidenceReason, figure: EvidenceFigure, production: string): ReasonWords {
  if (reason === 'open' && figure === 'stages') {
    return {
      what: 'Not over yet',
      todo: 'Counted once its next status arrives. If the deployment is over, post its final status.',
      isFault: true,
    };
  }
  return words[reason](production);
}
