import type { Finding } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, pluralize } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { findingTitles } from '../../board/finding-titles.ts';
import { home } from '../../state/address.ts';
import { Alert } from '../../ui/alert.tsx';
import { useAddress } from '../../ui/app.ts';
import { Link } from '../../ui/link.tsx';
import { type FindingGroup, findingGroups, findingLooks, findingsIn, placeName, placeOf } from './finding-groups.ts';
import type { LoadedQuality } from './quality-reader.ts';

interface FindingsProps {
  readonly loaded: LoadedQuality;
  readonly askMore: () => Promise<void>;
}

/** The findings by kind, each kind with its effect on the figures, what to do, and links to its places. */
export function Findings({ loaded, askMore }: FindingsProps) {
  const { kinds } = useAddress().quality;
  const groups = findingGroups(loaded).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  const remaining = findingsIn(loaded.counts) - loaded.findings.length;
  return (
    <section class="card quality-card" aria-labelledby="findings">
      <h2 id="findings">
        Findings <span class="small">most serious kind first</span>
      </h2>
      {groups.length === 0 && <p class="quality-note">No findings.</p>}
      <ul class="ruled">
        {groups.map((group) => (
          <li key={group.kind} class="finding-group breaks">
            <Group group={group} />
          </li>
        ))}
      </ul>
      {kinds.length > 0 && (
        <p class="quality-note small">
          Only {kinds.map((kind) => findingTitles[kind]).join(', ')}.{' '}
          <Link to={{ quality: home.quality }}>Show all kinds</Link>
        </p>
      )}
      {loaded.historyPlaces > 0 && (
        <p class="quality-note small">
          Imported history in {pluralize(loaded.historyPlaces, 'place')} is not counted as late: it happened before its
          reporter posted for the first time.
        </p>
      )}
      <Alert text={loaded.fault} />
      {loaded.next_cursor !== null && (
        <p class="quality-note small">
          {remaining} more.{' '}
          <button type="button" class="chip" onClick={askMore}>
            Show more
          </button>
        </p>
      )}
    </section>
  );
}

const shownMax = 5;

function Group({ group: { kind, title, todo, findings, isWhole } }: { readonly group: FindingGroup }) {
  const [isAll, setIsAll] = useState(false);
  const [shape, effect] = findingLooks[kind];
  return (
    <>
      <Mark shape={shape} />
      <div>
        <h3>{title}</h3>
        <p class="small">
          {effect} {todo && <b>{plain(todo)}</b>}
        </p>
        <ul class="finding-places fine">
          {findings.slice(0, isAll ? undefined : shownMax).map((finding) => (
            <li key={JSON.stringify([finding.service, finding.environment, finding.detail])}>
              <Place finding={finding} hasDetail={todo === undefined} />
            </li>
          ))}
        </ul>
        {findings.length > shownMax && (
          <button type="button" class="as-link fine" onClick={() => setIsAll(!isAll)}>
            {isAll ? `Show ${shownMax}` : `Show ${isWhole ? 'all' : 'the first'} ${findings.length}`}
          </button>
        )}
      </div>
    </>
  );
}

function Place({ finding, hasDetail }: { readonly finding: Finding; readonly hasDetail: boolean }) {
  const to = placeOf(finding);
  return (
    <>
      {to && (
        <Link to={to}>
          <bdi title={plain(finding.detail)}>{plain(placeName(finding))}</bdi>
        </Link>
      )}{' '}
      {hasDetail ? <bdi class="soft">{plain(finding.detail)}</bdi> : <span class="soft">× {finding.count}</span>}
    </>
  );
}
