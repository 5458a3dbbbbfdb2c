import { longAgeOf } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useApp, usePast } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';

/** The last failure in the log: "Last failure 3 days ago, fraud-scorer in staging." */
export function LastFailure() {
  const { client, now } = useApp().connection;
  const nowMs = useStore(now);
  const past = usePast();
  const query = { status: 'failure' as const, limit: 1, ...(past !== undefined && { until: past }) };
  const answer = useAnswer(
    async (signal) => (await client.listDeployments({ query, signal })).body.items[0],
    [client, past],
    { touchedBy: ({ status }) => past === undefined && status === 'failure' },
  );
  if (answer.kind !== 'here') return null;
  if (!answer.value)
    return <span>{past === undefined ? 'No failures in the log.' : 'No failures in the log by then.'}</span>;
  const { service, environment, happened_at } = answer.value;
  return (
    <span>
      Last failure {longAgeOf(Date.parse(happened_at), nowMs)},{' '}
      <Link to={{ slot: { service, environment } }}>
        <bdi>{service}</bdi> in <bdi>{environment}</bdi>
      </Link>
      .
    </span>
  );
}
