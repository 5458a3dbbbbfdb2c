import type { Queries } from './database.ts';

/** Events after `from`, up to `to`, that were acknowledged or sent but are lost. */
export interface Rewind {
  readonly from: string;
  readonly to: string;
}

/** Returns the lost events if the event `to` was acknowledged or sent but is missing and was not removed. */
export async function findRewind(queries: Queries, to: string): Promise<Rewind | undefined> {
  const [found] = await queries.query<{ from: string }>({
    text: `
      select coalesce((select id from deployments where id < $1::uuid order by id desc limit 1), removed_id) as from
      from log_heads
      where log = 'deployments' and removed_id < $1::uuid and not exists (select from deployments where id = $1::uuid)
        and not exists (select from removals where event_id = $1::uuid)`,
    values: [to],
  });
  return found && { from: found.from, to };
}

/**
 * Records the loss for all instances, and advances the tick, because readers that got the lost events would ignore
 * smaller ids.
 */
export async function noteRewind(writes: Queries, { from, to }: Rewind): Promise<void> {
  await writes.query({
    text: `
      update log_heads
      set last_tick = greatest(last_tick, $3::bigint),
        rewound_from = case when rewound_to > $1::uuid then least(rewound_from, $1::uuid) else $1::uuid end,
        rewound_to = greatest(rewound_to, $2::uuid)
      where log = 'deployments'`,
    values: [from, to, `${tickOf(to)}`],
  });
}

/** The tick in an id: milliseconds and sequence number. */
function tickOf(id: string): bigint {
  const digits = id.replaceAll('-', '');
  return (BigInt(`0x${digits.slice(0, 12)}`) << 12n) | BigInt(`0x${digits.slice(13, 16)}`);
}
