import type { ExceptionRequest, Hold } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { dayTime } from '../board/day-time.ts';
import { holdText, scopeText } from '../board/notices.ts';
import { itemsOf } from '../live/request.ts';
import { useStore } from '../state/store.ts';
import { Alert } from '../ui/alert.tsx';
import { useAnswer } from '../ui/answer.ts';
import { useApp, useBoard, useNow } from '../ui/app.ts';
import { Fault } from '../ui/empty.tsx';
import { NoticeIcon } from '../ui/notice-icon.tsx';
import { useAct, useMayAct } from './act.ts';
import { exceptLine, releaseLine } from './command-line.ts';
import { fieldTime, globsIn, instantIn, NamesField, TextField } from './fields.tsx';
import { CommandInstead, FormFoot } from './form-foot.tsx';

/** A month, the furthest that the service looks ahead. */
const upcomingHours = 720;
const pagesMax = 10;
/** A hold that begins this soon counts as begun, because the page's time is up to five seconds old. */
const soonMs = 60_000;
const endWords = { freeze: 'End the freeze', lock: 'Unlock', bad: 'Remove the mark' } as const;

interface HoldListProps {
  /** The number of acts on this page; after each act the list is requested again. */
  readonly acts: number;
  readonly onActed: () => void;
}

/** The holds in force and those of the next month. */
export function HoldList({ acts, onActed }: HoldListProps) {
  const { connection, notices } = useApp();
  const { client } = connection;
  const key = useStore(notices)?.key;
  const listed = (signal: AbortSignal): Promise<Hold[]> =>
    itemsOf((from) => client.listHolds({ query: { upcoming: upcomingHours, ...from }, signal }), pagesMax);
  const answer = useAnswer(listed, [key, acts]);
  if (answer.kind === 'waiting') return <p class="waiting">Loading …</p>;
  if (answer.kind === 'failed') return <Fault what={answer.what} retry={answer.retry} />;
  if (answer.value.length === 0) return <p class="soft">No freeze, lock or bad version now or in the next 30 days.</p>;
  return (
    <ul class="hold-list stack" aria-label="Holds">
      {answer.value.map((hold) => (
        <HoldItem key={hold.id} hold={hold} onActed={onActed} />
      ))}
    </ul>
  );
}

interface HoldItemProps {
  readonly hold: Hold;
  readonly onActed: () => void;
}

function HoldItem({ hold, onActed }: HoldItemProps) {
  const { client } = useApp().connection;
  const nowMs = useNow();
  const mayAct = useMayAct();
  const { isBusy, failure, act } = useAct();
  const [opened, setOpened] = useState<'release' | 'except'>();
  const { id, kind, exceptions } = hold;
  const written = (instant: string) => dayTime(Date.parse(instant), nowMs);
  // Omits what is the same as for the hold itself.
  const exceptionText = ({ services, until, reason }: Hold['exceptions'][number]) =>
    [
      `except ${services.join(', ')}`,
      ...(until === hold.until ? [] : [` until ${written(until)}`]),
      ...(reason === hold.reason ? [] : [`: ${reason}`]),
    ].join('');
  const release = async () => {
    if (await act(() => client.releaseHold({ params: { id }, body: {} }))) onActed();
  };
  return (
    <li class="tile stack">
      <p class="breaks">
        <NoticeIcon mark={{ kind, text: '' }} /> <strong>{plain(holdText(hold, nowMs + soonMs))}</strong>{' '}
        <span class="soft">{plain(scopeText({ ...hold, exceptions: [] }))}</span>
      </p>
      {exceptions.map((exception) => (
        <p key={exception.id} class="fine breaks">
          {plain(exceptionText(exception))}
        </p>
      ))}
      <p class="row">
        <button
          type="button"
          class="chip"
          disabled={isBusy}
          onClick={() => (mayAct ? void release() : setOpened('release'))}
        >
          {endWords[kind]}
        </button>
        {kind !== 'bad' && (
          <button
            type="button"
            class="chip"
            aria-expanded={opened === 'except'}
            onClick={() => setOpened(opened === 'except' ? undefined : 'except')}
          >
            Add an exception
          </button>
        )}
      </p>
      <Alert text={failure} />
      {opened === 'release' && <CommandInstead command={releaseLine(id)} />}
      {opened === 'except' && (
        <ExceptionForm
          hold={hold}
          onMade={() => {
            setOpened(undefined);
            onActed();
          }}
        />
      )}
    </li>
  );
}

function ExceptionForm({ hold, onMade }: { readonly hold: Hold; readonly onMade: () => void }) {
  const { client } = useApp().connection;
  const board = useBoard();
  const { isBusy, failure, act } = useAct();
  const [services, setServices] = useState('');
  const [until, setUntil] = useState(hold.until === null ? '' : fieldTime(Date.parse(hold.until)));
  const [reason, setReason] = useState('');
  // A field has no seconds, so the end of the hold itself is sent as it is.
  const isWholeHold = hold.until !== null && until === fieldTime(Date.parse(hold.until));
  const body: ExceptionRequest = {
    services: globsIn(services),
    until: (isWholeHold ? hold.until : instantIn(until)) ?? '',
    reason: reason.trim(),
  };
  const isComplete = body.services.length > 0 && body.until !== '' && body.reason !== '';
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await act(() => client.exceptHold({ params: { id: hold.id }, body }))) onMade();
  };
  return (
    <form class="stack hold-form" aria-label="New exception" onSubmit={submit}>
      <NamesField
        label="Services"
        value={services}
        onInput={setServices}
        names={[...(board?.rows.keys() ?? [])]}
        isRequired
        hint="These may be deployed"
      />
      <TextField label="Until" isTime value={until} onInput={setUntil} isRequired />
      <TextField label="Reason" value={reason} onInput={setReason} isRequired />
      <FormFoot
        {...{ failure, isBusy }}
        submit="Add the exception"
        command={isComplete ? exceptLine(hold.id, body) : undefined}
      />
    </form>
  );
}
