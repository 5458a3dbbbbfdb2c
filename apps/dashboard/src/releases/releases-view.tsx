import { limits, type Release } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { type Filter, includes, wantsEnvironment, wantsService } from '../board/filter.ts';
import type { Ownership } from '../board/ownership.ts';
import { releasePage } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { ReleaseTabs } from '../ui/release-tabs.tsx';
import { QuestionForm } from './question-form.tsx';
import { ReleaseList } from './release-list.tsx';
import { ReleasePage } from './release-page.tsx';
import { type Found, findRelease } from './release-question.ts';
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
  const { environment } = asked;
  const answer = useAnswer(
    async (signal) => ({ service, release, found: await findRelease(connection.client, asked, count, signal) }),
    [service, release, count],
    { touchedBy: (event) => service === undefined || event.service === service },
  );
  // Ignore the response to an earlier request.
  const here = answer.kind === 'here' && answer.value.service === service && answer.value.release === release;
  const found = here ? answer.value.found : undefined;
  return (
    <div class="stack gap-16 releases">
      <ReleaseTabs />
      <QuestionForm environment={environment} found={found?.kind === 'one' ? found.detail : undefined} />
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {answer.kind !== 'failed' && !found && <p class="waiting">Loading releases …</p>}
      {found?.kind === 'one' && <ReleasePage found={found} environment={environment} />}
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

/** Shown if no event names the release; suggests what to do. */
function NoRelease({ found: { asked, nearest } }: { readonly found: Extract<Found, { kind: 'none' }> }) {
  const { service } = useAddress().release;
  const isOfIt = nearest.some((item) => item.service === service);
  const of = service === undefined ? '' : plain(service);
  const sentence =
    service === undefined
      ? 'The closest matches:'
      : isOfIt
        ? `These are the closest matches of ${of}.`
        : `${of} has no releases. These are the closest matches of all services.`;
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

/** Whether a release passes the page's filter by service, environment and name. "Behind only" matches no release. */
export function releaseMatches(filter: Filter, release: Release, ownership: Ownership): boolean {
  const { service, version, sha, ref, actor, places } = release;
  const status = filter.only === 'failed' ? 'failure' : filter.only === 'running' ? 'in-progress' : undefined;
  const isThere = ([environment, { event }]: [string, Release['places'][string]]) =>
    wantsEnvironment(filter, environment) && (status === undefined || event.status === status);
  const isAnywhere = filter.environments.length === 0 && status === undefined;
  if (!wantsService(filter, service, ownership) || !(isAnywhere || Object.entries(places).some(isThere))) return false;
  return includes(filter.text ?? '', [service, version, sha, ref, actor]);
}

export function narrowsReleases({ services, teams, environments, mine, only, text }: Filter): boolean {
  const isNarrow = [services, teams, environments].some((names) => names.length > 0);
  return isNarrow || mine || only === 'failed' || only === 'running' || Boolean(text);
}
