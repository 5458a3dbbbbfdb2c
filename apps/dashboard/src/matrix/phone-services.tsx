import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { pluralize } from '@shiplog/text';
import { useMemo, useState } from 'preact/hooks';
import { emptyBoard } from '../board/board.ts';
import { type Group, groupNames, groupsOf } from '../board/groups.ts';
import { teamOf } from '../board/ownership.ts';
import { rollUpOf, rollUpSentence } from '../board/roll-up.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useApp, useBoardContext, useShown } from '../ui/app.ts';
import { useGrouping } from '../ui/grouping.ts';
import { Link } from '../ui/link.tsx';
import { marksOf, PhoneService, toneShapes } from './phone-service.tsx';

const countAtOnce = 100;

/** Every service by team, with its version in production and its state in each stage. */
export function PhoneServices() {
  const board = useStore(useApp().connection.board) ?? emptyBoard;
  const grouping = useGrouping();
  const { rows, columns } = useShown();
  const { ownership, promotionOrder } = useBoardContext();
  const services = useMemo(() => [...board.rows.keys()], [[...board.rows.keys()].join('\n')]);
  const nameOf = useMemo(() => groupNames(services, grouping, ownership), [services, grouping, ownership]);
  const groups = groupsOf(rows, nameOf);
  const marked = useMemo(() => marksOf(columns, promotionOrder), [columns, promotionOrder]);
  return (
    <section aria-labelledby="services">
      <h2 id="services" class="title">
        Services
      </h2>
      <PhoneCount />
      <div class="phone-list card ruled">
        <p class="phone-legend soft tiny" aria-hidden="true">
          <span>{groups.length > 1 ? 'Team, service' : 'Service'}</span>
          <span>
            <bdi>{marked[0]}</bdi>
            {marked.length > 1 && <bdi>{marked.at(-1)}</bdi>}
          </span>
        </p>
        {groups.map((group) =>
          groups.length === 1 && group.name === undefined ? (
            <ServiceRows key="" rows={group.rows} columns={columns} marked={marked} />
          ) : (
            <PhoneGroup key={group.name ?? ''} group={group} columns={columns} marked={marked} />
          ),
        )}
      </div>
    </section>
  );
}

function PhoneCount() {
  const { rows, columns, all } = useShown();
  const { ownership } = useBoardContext();
  const teams = new Set(rows.flatMap(({ service }) => teamOf(ownership, service) ?? []));
  const outside = all.services - rows.length;
  const hidden = all.environments - columns.length;
  const left = [
    ...(outside > 0 ? [pluralize(outside, 'service')] : []),
    ...(hidden > 0 ? [pluralize(hidden, 'environment')] : []),
  ];
  return (
    <p class="board-line soft">
      <b>{pluralize(rows.length, 'service')}</b>
      {teams.size > 0 && ` in ${pluralize(teams.size, 'team')}`}
      {left.length > 0 && (
        <>
          ;{' '}
          <Link to={{ filter: home.filter, columns: home.columns }}>
            {left.join(' and ')} more outside these filters
          </Link>
        </>
      )}
    </p>
  );
}

interface InColumns {
  readonly columns: readonly string[];
  readonly marked: readonly string[];
}

/** A group of services. It is initially open if it has a failure. */
function PhoneGroup({ group, columns, marked }: InColumns & { readonly group: Group }) {
  const { futureRows } = useBoardContext();
  const rollUp = rollUpOf(group.rows, columns, futureRows).filter(({ kind }) => kind !== 'ok');
  const [isOpen, setIsOpen] = useState(rollUp.some(({ kind }) => kind === 'bad'));
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="phone-team soft row">
        <b>
          <bdi>{group.name ?? 'Others'}</bdi>
        </b>
        <span class="phone-roll-up row push">
          <span class="unseen">{rollUp.length > 0 ? rollUpSentence(rollUp) : 'all healthy'}, </span>
          <span class="phone-roll-up row" aria-hidden="true">
            {rollUp.length === 0 && 'all healthy'}
            {rollUp.map(({ kind, count }) => (
              <span key={kind} class={`row ${kind}`}>
                <Mark shape={toneShapes[kind]} />
                {count}
              </span>
            ))}
          </span>
          {pluralize(group.rows.length, 'service')}
        </span>
      </summary>
      {isOpen && <ServiceRows rows={group.rows} columns={columns} marked={marked} />}
    </details>
  );
}

function ServiceRows({ rows, columns, marked }: InColumns & { readonly rows: readonly MatrixRow[] }) {
  const { futureRows, production, facts } = useBoardContext();
  const [count, setCount] = useState(countAtOnce);
  const more = rows.length - count;
  return (
    <>
      {rows.slice(0, count).map((row) => (
        <PhoneService
          key={row.service}
          row={row}
          columns={columns}
          marked={marked}
          production={production}
          futureRows={futureRows}
          facts={facts}
        />
      ))}
      {more > 0 && (
        <button type="button" class="chip attention-more" onClick={() => setCount(count + countAtOnce)}>
          {more} more services
        </button>
      )}
    </>
  );
}
