import { limits, type Release } from '@shiplog/contract';
import { pluralize, shortSha } from '@shiplog/text';
import { whereabouts } from '../log/whereabouts.ts';
import { home, releasePage } from '../state/address.ts';
import { Time } from '../ui/age.tsx';
import { useAddress } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { nameOf } from './matches.ts';

interface ReleaseListProps {
  readonly items: readonly Release[];
  /** The number of releases before the page's filter applies. */
  readonly read: number;
  /** Whether all pages are loaded. */
  readonly isAll: boolean;
  readonly onMore?: () => void;
}

export function ReleaseList({ items, read, isAll, onMore }: ReleaseListProps) {
  const { environment } = useAddress().release;
  if (read === 0) {
    return (
      <Empty title="No release yet">
        <p>A release appears with the first event that names its version or commit.</p>
      </Empty>
    );
  }
  const isCapped = !isAll && read >= limits.pageSizeMax;
  return (
    <>
      <p class="small">
        {items.length < read ? (
          <>
            {pluralize(items.length, 'release')} of the {isAll ? '' : 'newest '}
            {read}; {read - items.length} more outside the filter. <Link to={{ filter: home.filter }}>Show all</Link>
          </>
        ) : isAll ? (
          pluralize(read, 'release')
        ) : (
          `The newest ${pluralize(read, 'release')}`
        )}
        {isCapped &&
          ` A list has at most ${limits.pageSizeMax} releases. For older ones, name a service or more of the version.`}
      </p>
      {items.length > 0 && <ReleaseTable items={items} environment={environment} />}
      {!isAll && onMore && !isCapped && (
        <button type="button" class="chip start" onClick={onMore}>
          Older releases
        </button>
      )}
    </>
  );
}

interface ReleaseTableProps {
  readonly items: readonly Release[];
  readonly environment: string | undefined;
}

function ReleaseTable({ items, environment }: ReleaseTableProps) {
  return (
    <section class="card panel" aria-label="Releases">
      <table class="list">
        <thead>
          <tr>
            <th>Release</th>
            <th>Service</th>
            <th>Commit</th>
            <th>Where</th>
            <th>Last event</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={JSON.stringify([item.service, nameOf(item)])}>
              <td>
                <Link to={releasePage({ service: item.service, release: nameOf(item), environment })}>
                  <Version text={item.version ?? shortSha(nameOf(item))} />
                </Link>
              </td>
              <td>
                <Cut text={item.service} />
              </td>
              <td class="mono">{item.version !== null && item.sha !== null && <Cut text={shortSha(item.sha)} />}</td>
              <td class="small">
                <Cut text={whereabouts(item)} />
              </td>
              <td>
                <Time at={item.last_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
