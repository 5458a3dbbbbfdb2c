import { pluralize } from '@shiplog/text';
import { everyEnvironment } from '../board/scope.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { actorWords, type ChangeList, isFiltered, wantsChange } from './change-list.ts';
import { netRows } from './net.ts';
import { type Question, questionWords } from './question.ts';
import type { Net } from './use-changes.ts';

interface HeadlineProps {
  readonly question: Question;
  readonly list: ChangeList | undefined;
  readonly net: Net | undefined;
}

/** "In prod, 13:10–14:10: 4 services changed, 1 failed", and the two ways to list the range. */
export function Headline({ question, list, net }: HeadlineProps) {
  const { net: isNet, filter, actor } = useAddress();
  const nowMs = useStore(useApp().connection.now.present);
  const counts = list?.first.counts;
  const changed = net && netRows(net.items).filter(({ isChanged }) => isChanged).length;
  const isCut = net?.isCut === true && net.items.at(-1)?.changed === true;
  const deployments = question.state === undefined ? counts?.changes : (counts?.by_state[question.state] ?? 0);
  const isWhole = counts !== undefined && list?.next === null;
  const filters = { text: filter.text, actor };
  const matches = isFiltered(filters) ? list?.items.filter((change) => wantsChange(filters, change)) : undefined;
  const failed = matches ? matches.filter(({ state }) => state === 'failure').length : (counts?.by_state.failure ?? 0);
  return (
    <div class="changes-headline wrap">
      <h2 class="title" aria-live="polite">
        {questionWords(question, nowMs)}:{' '}
        {counts === undefined || changed === undefined ? (
          <span class="soft">counting …</span>
        ) : (
          <>
            {matches
              ? `${isWhole ? '' : 'at least '}${pluralize(matches.length, 'deployment')} ${matches.length === 1 ? 'matches' : 'match'}`
              : changed > 0
                ? `${isCut ? 'more than ' : ''}${pluralize(changed, 'service')} changed`
                : counts.changes > 0
                  ? 'no version changed'
                  : 'nothing changed'}
            {failed > 0 && (
              <>
                , <span class="bad-text">{failed} failed</span>
              </>
            )}
          </>
        )}
      </h2>
      {counts && (
        <span class="small">
          {matches && 'of '}
          {pluralize(deployments ?? 0, 'deployment')} {isWhole && !matches && actorWords(list.items)}
        </span>
      )}
      <span class="space" />
      {counts !== undefined && counts.elsewhere > 0 && (
        <Link class="small" to={{ filter: { ...home.filter, text: filter.text, environments: [everyEnvironment] } }}>
          {pluralize(counts.elsewhere, 'deployment')} elsewhere
        </Link>
      )}
      <nav class="joined changes-lists" aria-label="List">
        <Link class="chip" to={{ net: false }} aria-current={isNet ? undefined : 'true'}>
          Deployments <b class="chip-count">{deployments}</b>
        </Link>
        <Link class="chip" to={{ net: true }} aria-current={isNet ? 'true' : undefined}>
          Net <b class="chip-count">{changed}</b>
        </Link>
      </nav>
    </div>
  );
}
