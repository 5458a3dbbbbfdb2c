import type { DoraReport } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useId, useState } from 'preact/hooks';
import { useAddress } from '../ui/app.ts';
import { Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { reachable } from '../ui/reachable.ts';
import {
  classText,
  endedIn,
  figureOf,
  figureText,
  type KeyName,
  keyNames,
  keyTexts,
  numberText,
  shownKey,
  tooFewText,
} from './figures.ts';
import { dayLabel, logBegin } from './period.ts';
import type { Question } from './question.ts';
import type { TeamReports, Teams } from './teams.ts';

const shownMax = 8;

type Column = 'name' | 'services' | 'deployments' | KeyName;
const columns: Readonly<Record<Column, string>> = {
  name: 'Team',
  services: 'Services',
  deployments: 'Deployments',
  ...(Object.fromEntries(keyNames.map((name) => [name, keyTexts[name].title])) as Record<KeyName, string>),
};
const columnNames = Object.keys(columns) as Column[];

export interface TeamRow {
  readonly name: string;
  readonly services: number;
  /** `undefined` until the response arrives. */
  readonly report: DoraReport | undefined;
}

interface Order {
  readonly by: Column;
  readonly isDown: boolean;
}

/** Sorts teams; those without a value, or with too few deployments to compare, come last. */
export function sortedRows<Row extends TeamRow>(rows: readonly Row[], { by, isDown }: Order): Row[] {
  const sign = isDown ? -1 : 1;
  return [...rows].sort((one, other) => {
    if (by === 'name') return sign * one.name.localeCompare(other.name);
    const [left, right] = [sortValue(one, by), sortValue(other, by)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
}

function sortValue({ services, report }: TeamRow, by: Exclude<Column, 'name'>): number | undefined {
  if (by === 'services') return services;
  if (report === undefined) return undefined;
  const ended = endedIn(report);
  if (by === 'deployments') return ended;
  if (by !== 'deployment_frequency' && tooFewText(ended)) return undefined;
  return shownKey(report[by]).value ?? undefined;
}

interface TableProps {
  readonly question: Question;
  readonly teams: Teams;
  readonly reports: TeamReports;
  /** The figures of the whole scope. */
  readonly dora: DoraReport;
}

export function TeamsTable({
  question,
  teams: { kind, teams, isPartial },
  reports: { reports, answer },
  dora,
}: TableProps) {
  const { filter } = useAddress();
  const [order, setOrder] = useState<Order>({ by: 'change_failure_rate', isDown: true });
  const [isAll, setIsAll] = useState(false);
  const id = useId();
  const all = teams.map(({ name, scope, ...team }) => ({
    ...team,
    name,
    services: scope.services,
    report: reports.get(name),
  }));
  const here = all.filter(({ report }) => report).length;
  // Rows don't move while figures arrive.
  const rows = here === all.length ? sortedRows(all, order) : all;
  const { isProduction } = question.scope;
  const noun = kind === 'team' ? 'teams' : 'name prefixes';
  return (
    <section class="card teams" aria-labelledby={id}>
      <div class="wrap legend">
        <h2 id={id}>{kind === 'team' ? 'Teams' : 'Services by name prefix'}</h2>
        <span class="space small" aria-live="polite">
          {here < all.length && answer.kind !== 'failed'
            ? `Loading ${here} of ${all.length} …`
            : `${order.isDown && order.by !== 'name' ? 'highest' : 'lowest'} ${columns[order.by].toLowerCase()} first`}
        </span>
        {all.length > shownMax && (
          <button type="button" class="as-link fine" onClick={() => setIsAll(!isAll)}>
            {isAll ? `Show ${shownMax}` : `${shownMax} of ${all.length} · Show all`}
          </button>
        )}
      </div>
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      <div class="scroller" ref={reachable}>
        <table>
          <thead>
            <tr>
              {columnNames.map((column) => (
                <SortHead
                  key={column}
                  column={column}
                  order={order}
                  onSort={setOrder}
                  begin={logBegin(dora.window) ?? dora.window.from}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, isAll ? undefined : shownMax).map(({ name, services, report, filter: narrowed }) => (
              <Row
                key={name}
                name={
                  <Link to={{ filter: { ...filter, services: narrowed.services, teams: narrowed.teams } }}>
                    <bdi>{plain(name)}</bdi>
                  </Link>
                }
                {...{ services, report, isProduction }}
              />
            ))}
          </tbody>
          <tfoot>
            <Row
              name={isPartial ? 'All services' : `All ${noun}`}
              services={question.scope.services}
              report={dora}
              isProduction={isProduction}
            />
          </tfoot>
        </table>
      </div>
    </section>
  );
}

interface HeadProps {
  readonly column: Column;
  readonly order: Order;
  readonly onSort: (order: Order) => void;
  /** When the line of deployments per day begins. */
  readonly begin: string;
}

function SortHead({ column, order, onSort, begin }: HeadProps) {
  const isCurrent = order.by === column;
  const next = { by: column, isDown: isCurrent ? !order.isDown : column !== 'name' };
  return (
    <>
      <th scope="col" aria-sort={isCurrent ? (order.isDown ? 'descending' : 'ascending') : undefined}>
        <button type="button" class="bare" onClick={() => onSort(next)}>
          {columns[column]}
          {isCurrent && <span aria-hidden="true"> {order.isDown ? '↓' : '↑'}</span>}
        </button>
      </th>
      {column === 'deployments' && <th scope="col">Per day from {dayLabel(begin)}</th>}
    </>
  );
}

interface RowProps {
  readonly name: preact.ComponentChildren;
  readonly services: number;
  readonly report: DoraReport | undefined;
  readonly isProduction: boolean;
}

function Row({ name, services, report, isProduction }: RowProps) {
  const ended = report && endedIn(report);
  const tooFew = isProduction && ended !== undefined ? tooFewText(ended) : undefined;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{numberText(services)}</td>
      <td>{ended === undefined ? '…' : numberText(ended)}</td>
      <td>{report && <Line report={report} />}</td>
      {keyNames.map((key, index) => {
        if (tooFew && index > 0) {
          return index === 1 ? (
            <td key={key} colSpan={keyNames.length - 1} class="soft too-few">
              {tooFew}
            </td>
          ) : null;
        }
        return <KeyCell key={key} name={key} report={report} hasClass={isProduction && !tooFew} />;
      })}
    </tr>
  );
}

interface CellProps {
  readonly name: KeyName;
  readonly report: DoraReport | undefined;
  readonly hasClass: boolean;
}

function KeyCell({ name, report, hasClass }: CellProps) {
  if (!report) return <td>…</td>;
  const key = shownKey(report[name]);
  if (key.value === null) return <td class="soft">none</td>;
  const level = hasClass ? classText(key) : undefined;
  return (
    <td>
      {key.unit === 'per_day' ? numberText(key.value) : figureText(figureOf(key.value, key.unit))}{' '}
      {level && <span class={`class tiny ${level.toLowerCase()}`}>{level}</span>}
    </td>
  );
}

const line = { width: 92, height: 20 };

/** The deployments per day from the first covered day. */
function Line({ report: { deployment_frequency, window } }: { readonly report: DoraReport }) {
  const counts = deployment_frequency.sparkline.slice(-(window.covered_days ?? window.days)).map((count) => count ?? 0);
  const [step, scale] = [line.width / Math.max(counts.length - 1, 1), (line.height - 3) / Math.max(1, ...counts)];
  const points = counts.map(
    (count, index) => `${(index * step).toFixed(1)} ${(line.height - 1.5 - count * scale).toFixed(1)}`,
  );
  return (
    <svg class="team-days" width={line.width} height={line.height} aria-hidden="true">
      <path class="team-curve" d={`M${points.join('L')}`} />
    </svg>
  );
}
