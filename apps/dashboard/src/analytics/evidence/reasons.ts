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
    what: 'Events before an end',
    todo: 'A deployment counts once, by the event that ends it. Its other events are here, and those of what is still under way. Nothing to do.',
  }),
  'not-production': (production) => ({
    what: `Not in ${production}`,
    todo: `Only what reached ${production} has a time to it. Nothing to do.`,
  }),
  'no-parents': (production) => ({
    what: `No way to ${production} is told`,
    todo: 'The events name no parent. Send parent_deployments to count them.',
  }),
  'unknown-parent': () => ({
    what: 'A parent is missing',
    todo: 'No stored event on the way; perhaps it is in another log, or was pruned. Let the build report too.',
    isFault: true,
  }),
  'not-positive': () => ({
    what: 'Ended before it began',
    todo: 'A clock was ahead. Set it right where the event came from.',
    isFault: true,
  }),
  'single-row': () => ({
    what: 'Only one event',
    todo: 'A time needs a begin and an end. Send an event when it starts, too.',
  }),
  open: () => ({
    what: 'Not repaired yet',
    todo: 'It counts as soon as its place has a success.',
  }),
  'repeated-failure': () => ({
    what: 'Failed again',
    todo: 'It belongs to the failure before it, which is counted. Nothing to do.',
  }),
  'outside-ladder': () => ({
    what: 'Not a stage of the ladder',
    todo: 'Add its environment to ANALYTICS_FUNNEL_ENVIRONMENTS where releases have to pass it.',
  }),
  'no-release': () => ({
    what: 'No version and no commit',
    todo: 'Nobody can tell which release it was. Send version or sha.',
    isFault: true,
  }),
  'no-rollback': () => ({
    what: 'No earlier release',
    todo: 'It brought something new, or the same again. Nothing to do.',
  }),
  'no-rework': () => ({
    what: 'Repaired nothing',
    todo: 'It was no rollback and came after no failure. Nothing to do.',
  }),
};

/** A reason in words. Of a status, "open" is that nothing ended it. */
export function reasonWords(reason: EvidenceReason, figure: EvidenceFigure, production: string): ReasonWords {
  if (reason === 'open' && figure === 'stages') {
    return {
      what: 'Not over yet',
      todo: 'It counts once another status is told. If it is long over, send how it ended.',
      isFault: true,
    };
  }
  return words[reason](production);
}
