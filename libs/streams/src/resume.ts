import type { LogBounds } from './log.ts';

/**
 * `truncated`: the stream starts at the requested id, but some later rows are gone. `rewound`: the database lost the
 * requested row, and possibly earlier rows. `ignored`: the requested id is invalid, so the stream starts live.
 */
export type Resume = 'live' | 'replay' | 'truncated' | 'rewound' | 'ignored';

/** Where a connection starts (readings 6.1 to 6.3). `parseId` returns `undefined` for an invalid id. */
export function beginning(
  lastEventId: string | undefined,
  { lastId, removedId, rewound, beginId }: LogBounds,
  parseId: (text: string) => string | undefined,
): { readonly position: string; readonly resume: Resume } {
  if (lastEventId === undefined) return { position: beginId, resume: 'live' };
  const id = parseId(lastEventId);
  if (id === undefined) return { position: beginId, resume: 'ignored' };
  // An id above the greatest one counts as the greatest: otherwise the client would get no events.
  const position = id < lastId ? id : lastId;
  if (id < removedId) return { position, resume: 'truncated' };
  const isLost = rewound !== undefined && id > rewound.from && id <= rewound.to;
  return { position, resume: isLost ? 'rewound' : 'replay' };
}

/**
 * Shares one read among callers that arrive while another read is running. No caller gets the result of a read that
 * started before its call, because a live stream must not start before an event that was already acknowledged.
 */
export function sharedRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        const result = read();
        running = result;
        return result;
      });
    return next;
  };
}
