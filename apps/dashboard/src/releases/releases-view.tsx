import { limits } from '@shiplog/contract';
import { useState } from 'preact/hooks';
import { stagesOf } from '../board/columns.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Fault } from '../ui/empty.tsx';
import { NoRelease } from './no-release.tsx';
import { QuestionForm } from './question-form.tsx';
import { narrowsReleases, releaseMatches } from './release-filter.ts';
import { ReleaseList } from './release-list.tsx';
import { ReleasePage } from './release-page.tsx';
import { findRelease } from './release-question.ts';
import '../style/lists.css';
import './releases.css';

const listedFirst = 50;

/** The newest releases, or the answer to a question about one. */
export function ReleasesView() {
  const { connection, ownership: store } = useApp();
  const { release: asked, filter } = useAddress();
  const ownership = useStore(store);
  const { service, release } = asked;
  const [more, setMore] = useState({ of: `${service} ${release}`, count: listedFirst });
  // A named service overrides the page's filter.
  const isNarrowed = service === undefined && narrowsReleases(filter);
  const isMore = more.of === `${service} ${release}`;
  const count = isNarrowed ? limits.pageSizeMax : isMore ? more.count : listedFirst;
  const environments = useStore(connection.board)?.environments ?? [];
  const stages = stagesOf(environments, useStore(connection.promotionOrder));
  const { environment } = asked;
  const answer = useAnswer(
    async (signal) => ({ service, release, found: await findRelease(connection.client, asked, count, signal) }),
    [service, release, count],
    { touchedBy: (event) => service === undefined || event.service === service },
  );
  // Ignores the answer to the previous question.
  const here = answer.kind === 'here' && answer.value.service === service && answer.value.release === release;
  const found = here ? answer.value.found : undefined;
  return (
    <div class="stack releases">
      <QuestionForm environment={environment} found={found?.kind === 'one' ? found.detail : undefined} />
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {answer.kind !== 'failed' && !found && <p class="waiting">Loading releases …</p>}
      {found?.kind === 'one' && <ReleasePage found={found} environment={environment} stages={stages} />}
      {found?.kind === 'none' && <NoRelease found={found} />}
      {found?.kind === 'several' && (
        <ReleaseList
          items={isNarrowed ? found.items.filter((item) => releaseMatches(filter, item, ownership)) : found.items}
          read={found.items.length}
          isAll={found.isAll}
          onMore={() => setMore({ of: `${service} ${release}`, count: Math.min(count * 4, limits.pageSizeMax) })}
        />
      )}
    </div>
  );
}
