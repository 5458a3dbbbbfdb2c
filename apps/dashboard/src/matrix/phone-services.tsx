import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, pluralize } from '@shiplog/text';
import { useMemo, useState } from 'preact/hooks';
import { MoreButton } from '../attention/attention-list.tsx';
import { type Line, toggledLine } from '../board/arrangement.ts';
import type { Column } from '../board/columns.ts';
import { rollUpOf, rollUpSentence } from '../board/roll-up.ts';
import type { Stages } from '../board/stages.ts';
import { columnTitle, groupTitle } from '../board/titles.ts';
import { home } from '../state/address.ts';
import { useAddress, useApp, useBoardContext, useShown } from '../ui/app.ts';
import { HealthyNames } from '../ui/healthy-names.tsx';
import { Link } from '../ui/link.tsx';
import { useArrangement } from '../ui/use-arrangement.ts';
import { PhoneService } from './phone-service.tsx';
import { Rolls } from './rolls.tsx';

const countAtOnce = 200;

/** Every service by team, with its version in production and its state in each stage. */
export function PhoneServices() {
  const shown = useShown();
  const { rows, columns, all } = shown;
  const { asof } = useAddress();
  const { stages } = useBoardContext();
  const { lines, prefixOf } = useArrangement(shown);
  const [count, setCount] = useState(countAtOnce);
  const marked = useMemo(() => marksOf(columns, stages), [columns, stages]);
  const outside = all.services - rows.length;
  const hidden = all.environments - columns.length;
  const left = [
    ...(outside > 0 ? [pluralize(outside, 'service')] : []),
    ...(hidden > 0 ? [pluralize(hidden, 'environment')] : []),
  ];
  const title = (column: Column | undefined) => column && plain(columnTitle(column));
  return (
    <section aria-labelledby="services">
      <div class="row apart">
        <h2 id="services" class="title">
          {pluralize(rows.length, 'service')}
        </h2>
        {asof === undefined && (
          <Link class="small" to={{ asof: 'now' }}>
            As of now
          </Link>
        )}
      </div>
      {left.length > 0 && (
        <p class="small">
          <Link to={{ filter: home.filter, columns: home.columns }}>
            {left.join(' and ')} more outside these filters
          </Link>
        </p>
      )}
      <div class="phone-list card ruled">
        <p class="phone-legend soft tiny" aria-hidden="true">
          <span>Service, production</span>
          <span>
            <bdi>{title(marked[0])}</bdi>
            {marked.length > 1 && <bdi>{title(marked.at(-1))}</bdi>}
          </span>
        </p>
        {lines.slice(0, count).map((line) => (
          <PhoneLine key={line.key} {...{ line, marked, prefixOf }} />
        ))}
        <MoreButton left={lines.length - count} onMore={() => setCount(count + countAtOnce)} />
      </div>
    </section>
  );
}

const marksMax = 5;

/** What is shown as marks: the last five stages or, if there are no stages, the first five environments. */
function marksOf(columns: readonly string[], { all }: Stages): readonly Column[] {
  const stages = all.flatMap(({ name, environments }) => {
    const own = environments.filter((each) => columns.includes(each));
    return own.length > 0 ? [{ key: name, stage: name, environments: own, isFolded: true }] : [];
  });
  if (stages.length > 0) return stages.slice(-marksMax);
  return columns.slice(0, marksMax).map((name) => ({ key: name, stage: '', environments: [name], isFolded: false }));
}

interface LineProps {
  readonly line: Line;
  readonly marked: readonly Column[];
  /** The beginning of a name that the header of its group shows. */
  readonly prefixOf: (service: string) => string;
}

/** A group, the healthy services of a group, or a service. */
function PhoneLine({ line, marked, prefixOf }: LineProps) {
  const { navigation } = useApp();
  const { board } = useAddress();
  const context = useBoardContext();
  const { columns } = useShown();
  const everywhere = useMemo(() => [{ key: '', stage: '', environments: columns, isFolded: true }], [columns]);
  if (line.kind === 'row') {
    const { row, level } = line;
    return <PhoneService {...{ row, columns, marked, context }} prefix={level > 1 ? prefixOf(row.service) : ''} />;
  }
  const toggle = () => navigation.go({ board: { ...board, ...toggledLine(line, board) } }, 'replace');
  const { rows, isOpen } = line;
  if (line.kind === 'healthy') {
    const prefix = prefixOf(rows[0]?.service ?? '');
    return (
      <button type="button" class="phone-more soft row bare" aria-expanded={isOpen} onClick={toggle}>
        <Mark shape="chevron" />
        <HealthyNames rows={rows} prefix={prefix} />
      </button>
    );
  }
  const rollUp = rollUpOf(rows, everywhere, context.futureRows).filter(({ kind }) => kind !== 'ok');
  return (
    <button
      type="button"
      class="phone-team soft row bare"
      aria-expanded={line.canFold ? isOpen : undefined}
      disabled={!line.canFold}
      onClick={toggle}
    >
      <Mark shape="chevron" />
      <b>{groupTitle(line.group)}</b>
      <span class="small">{rows.length}</span>
      <span class="unseen">{rollUp.length > 0 ? rollUpSentence(rollUp) : 'all healthy'}</span>
      <span class="push">
        <Rolls rollUp={rollUp} />
      </span>
    </button>
  );
}
