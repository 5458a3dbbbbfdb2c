import { plain, pluralize, versionOf } from '@shiplog/text';
import { teamOf } from '../board/ownership.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { csvOf } from '../ui/csv.ts';
import { downloadCsv } from '../ui/download-csv.ts';
import { Link } from '../ui/link.tsx';
import { reachable } from '../ui/reachable.ts';
import { kindOf, ofKind, waitingSince } from './differences.ts';
import { type LeftOut, leftOut, type Notes, notedCount, releaseNotes } from './release-notes.ts';

/** The release notes, with buttons that copy them and download a CSV file, and a list of what they leave out. */
export function NotesPanel({ notes }: { readonly notes: Notes }) {
  const { navigation } = useApp();
  const { kind, from, to } = notes;
  const items = ofKind(notes.items, kind);
  const text = releaseNotes(notes);
  return (
    <section class="card panel notes" aria-labelledby="notes">
      <h2 id="notes">
        Release notes <span class="small">Markdown, {pluralize(notedCount(items), 'service')}</span>
      </h2>
      <LeftOutList left={leftOut(items, plain(from), plain(to))} />
      <pre class="breaks" ref={reachable}>
        {text}
      </pre>
      <div class="wrap">
        <CopyButton what="Copy as release notes" text={text} />
        <button type="button" class="chip" onClick={() => downloadCsv(`${from}-${to}.csv`, differencesCsv(notes))}>
          CSV
        </button>
        <CopyButton what="Copy link" text={() => new URL(navigation.linkTo({}), location.href).href} />
      </div>
    </section>
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

/** The comparison as CSV, including services without a difference and of other kinds. */
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
