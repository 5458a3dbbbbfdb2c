import { pluralize } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { type Board, boardOf } from '../board/board.ts';
import { wantsService } from '../board/filter.ts';
import { rfcInstant } from '../board/instant.ts';
import { TeamMenu } from '../filters/team-menu.tsx';
import { feedOf } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { ChangeTable } from './change-table.tsx';
import { type Change, changesBetween } from './changes.ts';
import { changesCsv, changesText } from './changes-text.ts';
import { KindChip } from './kind-chip.tsx';
import { OutsideFilter } from './outside-filter.tsx';
import { PastNote } from './past-note.tsx';
import { TextPanel } from './text-panel.tsx';
import { ThenQuestion } from './then-question.tsx';

/** Compares a past time with now, or with the later time in the address. */
export function ThenAndNow({ earlier }: { readonly earlier: string }) {
  const { navigation, connection, futureRows, ownership: store } = useApp();
  const { comparison, filter, asof } = useAddress();
  const live = useStore(connection.board);
  const ahead = useStore(futureRows);
  const ownership = useStore(store);
  const nowMs = useStore(connection.now);
  const until = asof === 'now' ? undefined : rfcInstant(asof);
  const answer = useBoards(earlier, until);
  useCommand('now', until === undefined ? undefined : () => navigation.go({ asof: undefined }));
  const before = answer.kind === 'here' ? answer.value.before : undefined;
  const after = until === undefined ? live : answer.kind === 'here' ? answer.value.after : undefined;
  const { to } = comparison;
  const changes = useMemo(() => {
    const wants = (service: string, environment: string) =>
      wantsService(filter, service, ownership) && (to === undefined || environment === to);
    return before && after && changesBetween(before, after, wants, ahead);
  }, [before, after, filter, ownership, to, ahead]);
  const outside = [...(after?.rows.keys() ?? [])].filter((service) => !wantsService(filter, service, ownership)).length;
  const at = until ?? new Date(nowMs).toISOString();
  const told = { changes: changes ?? [], ownership, earlier, at };
  return (
    <div class="compare">
      {until !== undefined && <PastNote at={until} nowMs={nowMs} />}
      <ThenQuestion earlier={earlier} />
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {answer.kind !== 'failed' && !changes && <p class="waiting">Loading the earlier state …</p>}
      {changes && (
        <>
          <div class="bar">
            <ChangeChips changes={changes} />
            <Link to={{ ...feedOf({ since: earlier, until, filter: feedFilter(filter, to) }), asof: undefined }}>
              All events since then
            </Link>
            <span class="space" />
            <OutsideFilter count={outside} />
            <TeamMenu />
          </div>
          <p class="small kind-meaning">
            Compares the last success in each environment; later failed or running deployments are shown next to it.
            Events that arrive late can change the earlier state.
          </p>
          <div class="parts stack compare-parts">
            <ChangeTable changes={changes} earlier={earlier} isPast={until !== undefined} ownership={ownership} />
            <TextPanel
              title="Changes"
              beside={`Markdown, ${pluralize(changes.filter(({ kind }) => kind !== 'same').length, 'change')}`}
              text={changesText(told)}
              copy="Copy as Markdown"
              csv={() => changesCsv(told)}
              fileName={`changes-since-${earlier.slice(0, 10)}.csv`}
            />
          </div>
        </>
      )}
    </div>
  );
}

/** The boards at both times. They are requested again when a late event may change them. */
function useBoards(earlier: string, until: string | undefined) {
  const { client } = useApp().connection;
  const last = Math.max(Date.parse(earlier), Date.parse(until ?? earlier));
  const answer = useAnswer(
    async (signal) => {
      const boardAt = async (at: string): Promise<Board> =>
        boardOf((await client.getMatrix({ query: { at }, signal })).body);
      const [before, after] = await Promise.all([boardAt(earlier), until === undefined ? undefined : boardAt(until)]);
      return { of: `${earlier} ${until}`, before, after };
    },
    [client, earlier, until],
    { touchedBy: ({ happened_at }) => Date.parse(happened_at) <= last },
  );
  // Ignore the response to an earlier request.
  return answer.kind === 'here' && answer.value.of !== `${earlier} ${until}` ? { kind: 'waiting' as const } : answer;
}

function feedFilter(filter: ReturnType<typeof useAddress>['filter'], environment: string | undefined) {
  return { ...filter, environments: environment === undefined ? [] : [environment] };
}

function ChangeChips({ changes }: { readonly changes: readonly Change[] }) {
  const same = changes.filter(({ kind }) => kind === 'same').length;
  const isSame = useAddress().comparison.kind === 'same';
  return (
    <>
      <KindChip kind="differ" isOn={!isSame}>
        Changed <b>{changes.length - same}</b>
      </KindChip>
      <KindChip kind="same" isOn={isSame}>
        Unchanged <b>{same}</b>
      </KindChip>
    </>
  );
}
