import { plain } from '@shiplog/text';
import { releasePage } from '../state/address.ts';
import { useAddress } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { ReleaseList } from './release-list.tsx';
import type { Found } from './release-question.ts';

/** Suggests what to do if no event names the release. */
export function NoRelease({ found: { asked, nearest } }: { readonly found: Extract<Found, { kind: 'none' }> }) {
  const { service } = useAddress().release;
  const isOfIt = nearest.some((item) => item.service === service);
  const of = service === undefined ? '' : plain(service);
  const sentence =
    service === undefined
      ? 'The closest matches:'
      : isOfIt
        ? `These are the nearest of ${of}.`
        : `${of} has no release. These are the nearest of all services.`;
  return (
    <>
      <Empty title={`No event names ${plain(asked)}`}>
        <p>
          {nearest.length === 0 ? 'The log has no release yet.' : sentence}{' '}
          <Link to={releasePage({ service: isOfIt ? service : undefined })}>Show the newest releases</Link>
        </p>
      </Empty>
      {nearest.length > 0 && <ReleaseList items={nearest} read={nearest.length} isAll={true} />}
    </>
  );
}
