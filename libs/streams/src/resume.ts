import type { LogBounds } from './log.ts';

/**
 * How a connection begins: at what comes now; at the id that it asked for; there, but rows after it are gone; there, but
 * the row that it asked for was lost, and maybe others before it; or at what comes now because what it asked for is no id.
 */
export type Resume = 'live' | 'replay' | 'truncated' | 'rewound' | 'ignored';

/** Where a connection begins (readings 6.1 to 6.3). `parseId` gives the id that a text is, `undefined` if it is none. */
export function beginning(
  lastEventId: string | undefined,
  { lastId, removedId, rewound, beginId }: LogBounds,
  parseId: (text: string) => string | undefined,
): { readonly position: string; readonly resume: Resume } {
  if (lastEventId === undefined) return { position: beginId, resume: 'live' };
  const id = parseId(lastEventId);
  if (id === undefined) return { position: beginId, resume: 'ignored' };
  // An id above the greatest counts as the greatest: it must not silence a client.
  const position = id < lastId ? id : lastId;
  if (id < removedId) return { position, resume: 'truncated' };
  const isLost = rewound !== undefined && id > rewound.from && id <= rewound.to;
  return { position, resume: isLost ? 'rewound' : 'replay' };
}

/**
 * One read for all who ask while another is under way. Nobody is given a read that began before they asked: a stream
 * that begins live must not begin before an event whose post was answered earlier.
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
