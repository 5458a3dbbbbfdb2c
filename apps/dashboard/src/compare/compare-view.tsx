import { longAgeOf, plain, pluralize } from '@shiplog/text';
import { inUtc } from '../board/age.ts';
import { dayTime } from '../board/day-time.ts';
import { wantsService } from '../board/filter.ts';
import { rfcInstant } from '../board/instant.ts';
import { TeamMenu } from '../filters/team-menu.tsx';
import { type ComparisonKind, comparisonKinds } from '../state/address/comparison.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { ReleaseTabs } from '../ui/release-tabs.tsx';
import { AgeFilter, AgeSort } from './age-filter.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { arrivingIn, byTeam, type Difference, isOlderThan, kindCounts, kindMeaning } from './differences.ts';
import { NotesPanel } from './notes-panel.tsx';
import { Question } from './question.tsx';
import { defaultPair, type Pair, sideOf } from './sides.ts';
import '../style/lists.css';
import './compare.css';

/** Compares production with the stage before it by default. */
export function CompareView() {
  return (
    <div class="stack gap-16">
      <ReleaseTabs />
      <Compared />
    </div>
  );
}

function Compared() {
  const { connection } = useApp();
  const { comparison } = useAddress();
  const environments = useStore(connection.board)?.environments;
  const { stages } = useBoardContext();
  const [first, second] = defaultPair(stages, environments ?? []);
  const to = comparison.to ?? (comparison.from === second ? first : second);
  const from = comparison.from ?? (to === first ? second : first);
  // Until the stages are known, the default might still change.
  const isKnown = useStore(connection.areStagesKnown) || (comparison.from !== undefined && comparison.to !== undefined);
  if (!isKnown) return <p class="waiting">Loading the differences …</p>;
  if (from !== undefined && to !== undefined) return <Comparison from={sideOf(from, stages)} to={sideOf(to, stages)} />;
  return environments ? (
    <Empty title="Nothing to compare yet">
      <p>A comparison needs events from two environments.</p>
    </Empty>
  ) : (
    <p class="waiting">Loading the board …</p>
  );
}

function Comparison({ from, to }: Pair) {
  const { navigation, connection, futureRows, ownership: store } = useApp();
  const { comparison, filter, asof } = useAddress();
  const ownership = useStore(store);
  const nowMs = useStore(connection.now);
  const board = useStore(connection.board);
  const ahead = useStore(futureRows);
  const past = asof === 'now' ? undefined : rfcInstant(asof);
  const query = { from: from.reference, to: to.reference, ...(past !== undefined && { at: past }) };
  const answer = useAnswer(
    async (signal) => ({ of: past, ...(await connection.client.diffEnvironments({ query, signal })).body }),
    [from.reference, to.reference, past],
    { touchedBy: ({ environment }) => [...from.environments, ...to.environments].includes(environment) },
  );
  useCommand('now', past === undefined ? undefined : () => navigation.go({ asof: undefined }));
  const isOfThis = (value: { from: string; to: string; of: string | undefined }) =>
    value.from === from.reference && value.to === to.reference && value.of === past;
  const diff = answer.kind === 'here' && isOfThis(answer.value) ? answer.value : undefined;
  const wanted = diff?.items.filter(({ service }) => wantsService(filter, service, ownership)) ?? [];
  const differences = wanted.map((item): Difference => {
    const row = past === undefined ? board?.rows.get(item.service) : undefined;
    return { ...item, arriving: arrivingIn(row, to.environments, item.from, ahead) };
  });
  const at = diff?.at ?? new Date(nowMs).toISOString();
  const { older } = comparison;
  const items = older ? differences.filter((item) => isOlderThan(item, older, Date.parse(at))) : differences;
  const outside = (diff?.items.length ?? 0) - items.length;
  return (
    <div class="compare">
      {past !== undefined && <PastNote at={past} nowMs={nowMs} />}
      <Question from={from} to={to} />
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {answer.kind !== 'failed' && !diff && <p class="waiting">Loading the differences …</p>}
      {diff && (
        <>
          <div class="bar">
            <KindChips items={items} from={from.name} to={to.name} />
            <span class="space" />
            <OutsideFilter count={outside} />
            <AgeSort />
            <AgeFilter />
            <TeamMenu />
          </div>
          <p class="small kind-meaning">{kindMeaning(comparison.kind, plain(from.name), plain(to.name))}</p>
          <div class="parts stack compare-parts">
            <DifferenceTable
              teams={byTeam(items, comparison, ownership)}
              pair={{ from, to, isPast: past !== undefined }}
              ownership={ownership}
            />
            <NotesPanel
              notes={{
                ...{ items, ownership, at },
                kind: comparison.kind,
                isFiltered: outside > 0,
                from: from.name,
                to: to.name,
              }}
            />
          </div>
        </>
      )}
    </div>
  );
}

function PastNote({ at, nowMs }: { readonly at: string; readonly nowMs: number }) {
  const ms = Date.parse(at);
  return (
    <section class="compare-past band apart wrap" aria-label="Past comparison">
      <p role="status">
        <strong title={inUtc(at)}>As of {dayTime(ms, nowMs)}</strong>, {longAgeOf(ms, nowMs)}. Events that arrive late
        may change it.
      </p>
      <Link class="strong" to={{ asof: undefined }}>
        Back to now
      </Link>
    </section>
  );
}

function OutsideFilter({ count }: { readonly count: number }) {
  const { filter, comparison } = useAddress();
  if (count === 0) return null;
  return (
    <span class="small">
      {pluralize(count, 'more service')} outside the filter{' '}
      <Link
        to={{
          filter: { ...home.filter, text: filter.text },
          comparison: { ...comparison, older: undefined },
        }}
      >
        Show all
      </Link>
    </span>
  );
}

interface KindChipsProps {
  readonly items: readonly Difference[];
  readonly from: string;
  readonly to: string;
}

/** A button for each kind of difference, with the number of services. */
function KindChips({ items, from, to }: KindChipsProps) {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const counts = kindCounts(items);
  const names: Readonly<Record<ComparisonKind, string>> = {
    differ: 'Differ',
    ahead: `${plain(to)} behind`,
    arriving: 'Arriving',
    behind: `${plain(to)} ahead`,
    diverged: 'Diverged',
    'only-from': `Only in ${plain(from)}`,
    'only-to': `Only in ${plain(to)}`,
    same: 'The same',
  };
  return (
    <>
      {comparisonKinds.map((kind) => (
        <button
          key={kind}
          type="button"
          class="chip"
          title={kindMeaning(kind, plain(from), plain(to))}
          aria-pressed={comparison.kind === kind}
          onClick={() => navigation.go({ comparison: { ...comparison, kind } })}
        >
          {names[kind]} <b>{counts[kind]}</b>
        </button>
      ))}
    </>
  );
}
