import { plain } from '@shiplog/text';
import { columnOrder } from '../board/columns.ts';
import { everyEnvironment, type Scope } from '../board/scope.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { nothingEnded } from './scope-words.ts';

const offersMax = 6;

/** Offers other periods and environments if there is nothing to count. */
export function NothingEnded({ scope }: { readonly scope: Scope }) {
  const { figures, filter } = useAddress();
  const { promotionOrder } = useBoardContext();
  const board = useStore(useApp().connection.board);
  const names = columnOrder(board?.environments ?? [], promotionOrder, { order: [], hidden: [] });
  const others = names.filter((name) => !filter.environments.includes(name) && name !== scope.environments);
  const longest = figures.window === '30d' && figures.soFar && !figures.days;
  return (
    <Empty title={plain(nothingEnded(scope, figures))}>
      <p>
        {!longest && (
          <Link to={{ figures: { ...figures, window: '30d', soFar: true, days: undefined } }}>
            30 days and today so far
          </Link>
        )}{' '}
        {scope.environments !== undefined && (
          <Link to={{ filter: { ...filter, environments: [everyEnvironment] } }}>All environments</Link>
        )}
      </p>
      {others.length > 0 && (
        <p class="wrap">
          Other environments:{' '}
          {others.slice(0, offersMax).map((name) => (
            <Link key={name} to={{ filter: { ...filter, environments: [name] } }}>
              <bdi>{plain(name)}</bdi>
            </Link>
          ))}
        </p>
      )}
      <p>
        <Link to={{ view: 'feed' }}>Open the feed</Link>
      </p>
    </Empty>
  );
}
