import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, pluralize } from '@shiplog/text';
import { useEffect } from 'preact/hooks';
import { slotKey } from '../board/board.ts';
import { findingTitles } from '../board/finding-titles.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';

interface SlotFindingsProps {
  readonly slot: { readonly service: string; readonly environment: string };
}

/** Links to the quality findings of a slot; nothing if there are none. */
export function SlotFindings({ slot: { service, environment } }: SlotFindingsProps) {
  const { findings } = useApp();
  const found = useStore(findings).get(slotKey(service, environment)) ?? [];
  useEffect(() => void findings.want().catch(() => undefined), [findings]);
  const [first] = found;
  if (!first) return null;
  const filter = { ...home.filter, services: [service], environments: [environment] };
  return (
    <Link
      class="chip slot-findings"
      title={plain(found.map(({ detail }) => detail).join(' '))}
      to={{ view: 'quality', slot: undefined, filter, quality: home.quality }}
    >
      <Mark shape="ring" />
      <span>Log quality: {found.length === 1 ? findingTitles[first.kind] : pluralize(found.length, 'finding')}</span>
    </Link>
  );
}
