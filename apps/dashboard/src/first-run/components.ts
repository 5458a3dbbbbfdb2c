import { type ComponentEventRecord, limits, resetExpectedComponents } from '@shiplog/contract';
import { useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';

const everyMs = 5000;
const [fetcherId, driverId] = resetExpectedComponents;
/** The default COMPONENT_ID of the relay. */
const relayId = 'relay';

/** The last report of each program that works with this service. */
export interface Reports {
  readonly fetcher: ComponentEventRecord | undefined;
  readonly driver: ComponentEventRecord | undefined;
  readonly relay: ComponentEventRecord | undefined;
}

export function useReports(): Reports {
  const { client } = useApp().connection;
  const answer = useAnswer(
    async (signal) => (await client.listComponentEvents({ query: { limit: limits.pageSizeMax }, signal })).body.items,
    [],
    { everyMs },
  );
  const items = answer.kind === 'here' ? answer.value : [];
  const of = (id: string) => items.find(({ component_id }) => component_id === id);
  return { fetcher: of(fetcherId), driver: of(driverId), relay: of(relayId) };
}
