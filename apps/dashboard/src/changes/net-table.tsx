import type { Change, MatrixRow, NetChange } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { literalGlob, plain, pluralize, versionOf } from '@shiplog/text';
import { useMemo, useState } from 'preact/hooks';
import { type Board, boardOf } from '../board/board.ts';
import { lastSuccessIn } from '../board/drift.ts';
import { includes } from '../board/filter.ts';
import { clockName } from '../range/calendar.ts';
import { spanOf } from '../range/range.ts';
import { useStore } from '../state/store.ts';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { decisive, isSameStep, type NetRow, netRows, stepOf } from './net.ts';
import type { Question } from './question.ts';
import { ServiceName, usePrefixes } from './service-name.tsx';
import type { Net } from './use-changes.ts';
import './net.css';

/** More environments than this share one column. */
const columnsMax = 6;

interface NetTableProps {
  readonly question: Question;
  readonly answer: Answer<Net>;
  /** The loaded changes, which show when a place changed. */
  readonly changes: readonly Change[];
}

/** What each service ran before the range and after it, with a column per environment. */
export function NetTable({ question, answer, changes }: NetTableProps) {
  const { text } = useAddress().filter;
  const [isFolded, setFolded] = useState(false);
  const named = question.environments ?? [];
  const isNamed = named.length > 0 && named.length <= columnsMax && named.every((name) => !/[*?]/.test(name));
  const columns = isNamed ? named : undefined;
  const net = answer.kind === 'here' && answer.value.of === question.key ? answer.value : undefined;
  const rows = useMemo(
    () => netRows(net?.items ?? []).filter(({ service }) => includes(text ?? '', [service])),
    [net?.items, text],
  );
  const isStill = columns?.some((name) => rows.some(({ places }) => !places.has(name))) ?? false;
  const after = useBoardAfter(question, isStill);
  if (answer.kind === 'failed') return <Fault what={answer.what} retry={answer.retry} />;
  if (!net) return <p class="waiting">Loading the changes …</p>;
  const [changed, same] = [true, false].map((is) => rows.filter(({ isChanged }) => isChanged === is));
  const body = (list: readonly NetRow[] = []) =>
    list.map((row) => <NetRowView key={row.service} {...{ row, columns, changes, after }} />);
  if (rows.length === 0) return <Empty title="No deployments in this range" />;
  return (
    <>
      <section class="card panel" aria-label="Net changes">
        <table class="list net">
          <thead>
            <tr>
              <th>Service</th>
              <th>Before → after</th>
              {columns?.map((name) => (
                <th key={name}>
                  <Cut text={name} />
                </th>
              )) ?? <th>Environments</th>}
              <th>
                <span class="unseen">Deployments</span>
              </th>
            </tr>
          </thead>
          <tbody>{body(changed)}</tbody>
          {same && same.length > 0 && (
            <tbody>
              <tr class="net-same">
                <th colSpan={(columns?.length ?? 1) + 3} scope="rowgroup">
                  <button type="button" class="bare row" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
                    <Mark shape="chevron" />
                    <b>No net change</b> {same.length}
                  </button>
                </th>
              </tr>
              {!isFolded && body(same)}
            </tbody>
          )}
        </table>
      </section>
      {net.isCut && <p class="small">Only the first {net.items.length} places are listed; narrow the filter.</p>}
    </>
  );
}

interface NetRowProps {
  readonly row: NetRow;
  readonly columns: readonly string[] | undefined;
  readonly changes: readonly Change[];
  /** The board at the end of the range; `undefined` until it is loaded. */
  readonly after: Board | undefined;
}

const NetRowView = memo(({ row, columns, changes, after }: NetRowProps) => {
  const { service, main, places } = row;
  const { filter } = useAddress();
  const prefixes = usePrefixes();
  const cell = (place: NetChange) => <NetCell place={place} main={main} changes={changes} />;
  return (
    <tr>
      <td>
        <ServiceName name={service} prefix={prefixes.get(service) ?? ''} />
      </td>
      <td>
        <Steps place={main} />
      </td>
      {columns?.map((name) => {
        const place = places.get(name);
        return (
          <td key={name} data-label={plain(name)}>
            {place ? cell(place) : <Still row={after?.rows.get(service)} environment={name} />}
          </td>
        );
      }) ?? (
        <td>
          <ul class="net-places">
            {[...places].map(([name, place]) => (
              <li key={name}>
                <Cut text={name} className="small" /> {cell(place)}
              </li>
            ))}
          </ul>
        </td>
      )}
      <td>
        <Link
          class="change-toggle soft"
          to={{ net: false, filter: { ...filter, services: [literalGlob(service)], text: undefined } }}
          aria-label={`Deployments of ${plain(service)}`}
        >
          <Mark shape="chevron" />
        </Link>
      </td>
    </tr>
  );
});

/** "1.4.1 → 1.4.2"; only the release if it is the same. */
function Steps({ place }: { readonly place: NetChange }) {
  const [before, after] = stepOf(place);
  if (!place.changed) return <span class="soft change-before">{after === '' ? '' : <Version text={after} />}</span>;
  return (
    <span class="change-step shrink row gap-6">
      <span class="soft change-before">{before === '' ? 'new' : <Version text={before} />}</span>
      <span>→</span>
      <Version text={after} />
    </span>
  );
}

function NetCell({ place, main, changes }: { place: NetChange; main: NetChange; changes: readonly Change[] }) {
  const { changed, failed } = place;
  const change = decisive(place, changes);
  const at = change?.ended_at ? clockName(Math.floor(Date.parse(change.ended_at) / 60_000) * 60_000) : '';
  if (changed) {
    return (
      <span class="net-cell">
        <span class="state ok">
          <Mark shape="ok" />
          <span>changed {at}</span>
        </span>
        {!isSameStep(place, main) && <Steps place={place} />}
      </span>
    );
  }
  const said = change?.rollback
    ? `rolled back ${at}`
    : [pluralize(place.changes, 'deployment'), failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ');
  return (
    <span class={`state ${failed > 0 ? 'bad-past' : ''}`}>
      <Mark shape={failed > 0 ? 'cross' : 'dash'} />
      <span>{said}</span>
    </span>
  );
}

/** The release of a place without deployments in the range: what it had at the end of the range. */
function Still({ row, environment }: { row: MatrixRow | undefined; environment: string }) {
  const event = row && lastSuccessIn(row, environment);
  if (!event) return <span class="small">{row ? '—' : ''}</span>;
  return (
    <span class="small nowrap net-still">
      still <Version text={versionOf(event)} />
    </span>
  );
}

/** The board at the end of the range, if it is needed; the current one while the range is live. */
function useBoardAfter(question: Question, isNeeded: boolean): Board | undefined {
  const { client, board, now } = useApp().connection;
  const live = useStore(board);
  const { toMs, isLive } = spanOf(question.range, useStore(now.present));
  const at = isLive || !isNeeded ? undefined : new Date(toMs - 1).toISOString();
  const answer = useAnswer(
    async (signal) =>
      at === undefined ? undefined : { at, board: boardOf((await client.getMatrix({ query: { at }, signal })).body) },
    [at],
  );
  if (isLive) return live;
  return answer.kind === 'here' && answer.value?.at === at ? answer.value?.board : undefined;
}
