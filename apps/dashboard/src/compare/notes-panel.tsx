import { plain, pluralize, versionOf } from '@shiplog/text';
import { teamOf } from '../board/ownership.ts';
import { useAddress } from '../ui/app.ts';
import { csvOf } from '../ui/csv.ts';
import { Link } from '../ui/link.tsx';
import { kindOf, waitingSince } from './differences.ts';
import { type LeftOut, leftOut, type Notes, notedCount, releaseNotes } from './release-notes.ts';
import { TextPanel } from './text-panel.tsx';

/** The release notes, with a button that copies them, and a list of what they leave out. */
export function NotesPanel({ notes }: { readonly notes: Notes }) {
  const { items, from, to } = notes;
  return (
    <TextPanel
      title="Release notes"
      beside={`Markdown, ${pluralize(notedCount(items), 'service')}`}
      text={releaseNotes(notes)}
      copy="Copy as release notes"
      csv={() => differencesCsv(notes)}
      fileName={`${from}-${to}.csv`}
    >
      <LeftOutList left={leftOut(items, plain(from), plain(to))} />
    </TextPanel>
  );
}

const namesMax = 3;

function LeftOutList({ left }: { readonly left: readonly LeftOut[] }) {
  const { comparison } = useAddress();
  if (left.length === 0) return null;
  const count = left.reduce((sum, { services }) => sum + services.length, 0);
  return (
    <div class="fine soft breaks notes-left">
      <p class="strong">Left out: {pluralize(count, 'service')}</p>
      <ul>
        {left.map(({ kind, reason, services }) => (
          <li key={kind}>
            <bdi>{services.slice(0, namesMax).map(plain).join(', ')}</bdi>
            {services.length > namesMax && (
              <>
                {' '}
                and <Link to={{ comparison: { ...comparison, kind } }}>{services.length - namesMax} more</Link>
              </>
            )}
            : {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The comparison as CSV, including services without a difference. */
function differencesCsv({ items, from, to, ownership }: Notes): string {
  return csvOf(
    ['team', 'service', from, to, 'kind', 'behind', 'since'],
    items.map((item) => [
      teamOf(ownership, item.service) ?? null,
      item.service,
      item.from ? versionOf(item.from) : null,
      item.to ? versionOf(item.to) : null,
      kindOf(item),
      item.behind,
      waitingSince(item) ?? null,
    ]),
  );
}
