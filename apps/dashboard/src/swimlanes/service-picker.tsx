import { useMemo, useState } from 'preact/hooks';
import type { Board } from '../board/board.ts';
import { counted } from '../board/counted.ts';
import type { Filter } from '../board/filter.ts';
import { newestOf } from '../board/newest.ts';
import { Time } from '../ui/age.tsx';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { servicesToChoose } from './chosen-service.ts';

const shownMax = 60;

/** The services of the board to choose from, the last changed first. */
export function ServicePicker({ board, filter }: { readonly board: Board; readonly filter: Filter }) {
  const [text, setText] = useState('');
  const rows = useMemo(() => servicesToChoose(board, filter, text), [board, filter, text]);
  const left = rows.length - shownMax;
  return (
    <section class="lanes">
      <h2 class="lanes-title">Whose promotions?</h2>
      <input
        class="field"
        type="search"
        placeholder="Find a service …"
        aria-label="Find a service"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {rows.length === 0 ? (
        <Empty title="No service matches">
          <p>
            No service of the board has this name.{' '}
            <Link to={{ filter: { ...filter, services: [] } }}>Choose from all services</Link>
          </p>
        </Empty>
      ) : (
        <ul class="lanes-services" aria-label="Services, the one with the newest event first">
          {rows.slice(0, shownMax).map((row) => (
            <ServiceLink key={row.service} service={row.service} at={newestOf(row)?.happened_at} filter={filter} />
          ))}
        </ul>
      )}
      {left > 0 && <p class="small">{counted(left, 'more service')}: type a part of the name.</p>}
    </section>
  );
}

interface ServiceLinkProps {
  readonly service: string;
  readonly at: string | undefined;
  readonly filter: Filter;
}

function ServiceLink({ service, at, filter }: ServiceLinkProps) {
  return (
    <li>
      <Link to={{ filter: { ...filter, services: [service] } }}>
        <Cut text={service} />
        {at && <Time at={at} />}
      </Link>
    </li>
  );
}
