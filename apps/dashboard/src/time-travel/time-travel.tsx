import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { rfcInstant } from '../board/instant.ts';
import { clockName } from '../range/calendar.ts';
import { typedTime } from '../range/typed-time.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { isPending, useCommand } from '../ui/commands.ts';
import { Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { PastBand } from './past-band.tsx';
import { spanEventsMax } from './span-events.ts';
import type { Direction } from './steps.ts';
import { dayAndTime } from './time-words.ts';
import { TimelineSlider } from './timeline-slider.tsx';
import { requestedInstant, travelTo, useSince, useSteps, useTimeline } from './use-timeline.ts';
import './time-travel.css';

const hourMs = 3_600_000;

export function TimeTravel() {
  const { navigation, connection, past } = useApp();
  const address = useAddress();
  const presentMs = useStore(connection.now.present);
  const { requested } = useStore(past);
  const named = rfcInstant(requestedInstant(address));
  const atMs = requested === undefined ? undefined : Date.parse(requested);
  const events = useTimeline(atMs);
  const since = useSince(events);
  const { step, message } = useSteps(events);
  useCommand('before', () => step('before'));
  useCommand('after', () => step('after'));
  useCommand('now', () => navigation.go({ asof: undefined }));
  const go = (ms: number | undefined) => travelTo(navigation, ms === undefined ? 'now' : new Date(ms).toISOString());
  const hour = (by: number) => {
    const ms = (atMs ?? presentMs) + by * hourMs;
    go(ms > presentMs ? undefined : ms);
  };
  const { timeline, cutAtMs, answer } = events;
  return (
    <>
      <PastBand since={since} />
      <section class="wrap time-bar" aria-label="Time of the board">
        <span class="small time-from">{dayAndTime(timeline.fromMs, presentMs)}</span>
        <TimelineSlider events={events} atMs={atMs} presentMs={presentMs} onMove={go} />
        <span class="small time-until">{timeline.untilMs >= presentMs ? 'now' : clockName(timeline.untilMs)}</span>
        <span class="wrap gap-4">
          <StepButton label="Previous event" keys="[" text="‹" onPress={() => step('before')} />
          <StepButton
            label="Next event"
            keys="]"
            text="›"
            isOff={requested === undefined}
            onPress={() => step('after')}
          />
          <StepButton label="1 h earlier" onPress={() => hour(-1)} />
          <StepButton label="1 h later" isOff={requested === undefined} onPress={() => hour(1)} />
        </span>
        <TypedField isFirst={requested === undefined} onStep={step} />
        {requested === undefined && (
          <Link class="chip" to={{ asof: undefined }}>
            Close
          </Link>
        )}
        <span class="small" role="status">
          {message}
          {cutAtMs !== undefined && ` Only the newest ${spanEventsMax} events are drawn.`}
          {named !== undefined && requested === undefined && ' That time is in the future; this is the current board.'}
        </span>
        {answer.kind === 'failed' && <Fault {...answer} />}
      </section>
    </>
  );
}

function StepButton(props: {
  readonly label: string;
  readonly text?: string;
  readonly keys?: string;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}) {
  const { label, text = label, keys, isOff = false, onPress } = props;
  return (
    <button
      type="button"
      class="chip"
      aria-label={label}
      aria-keyshortcuts={keys}
      title={keys ? `${label} (${keys})` : label}
      disabled={isOff}
      onClick={onPress}
    >
      {text}
    </button>
  );
}

interface TypedFieldProps {
  /** Time travel is open, but no time is chosen yet. */
  readonly isFirst: boolean;
  readonly onStep: (to: Direction) => void;
}

/** A field for a time: "yesterday 14:05". It is focused when time travel opens; [ and ] step while it is empty. */
function TypedField({ isFirst, onStep }: TypedFieldProps) {
  const { navigation, connection } = useApp();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // On touch screens the on-screen keyboard would hide the timeline.
    if (isFirst && !isPending('before') && matchMedia('(pointer: fine)').matches)
      field.current?.focus({ preventScroll: true });
  }, []);
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (text !== '' || (event.key !== '[' && event.key !== ']')) return;
    event.preventDefault();
    event.currentTarget.blur();
    onStep(event.key === '[' ? 'before' : 'after');
  };
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = typedTime(text, connection.now.present.value);
    if (typed !== 'now' && 'fault' in typed) {
      setFault(typed.fault);
      return;
    }
    setFault(undefined);
    setText('');
    travelTo(navigation, typed === 'now' ? 'now' : new Date(typed.ms).toISOString());
  };
  return (
    <form class="wrap gap-4 time-typed" onSubmit={submit}>
      <input
        ref={field}
        class="field"
        aria-label="As of: a time such as 14:05, yesterday 14:05, 19 Nov 14:05 or 3 h ago"
        placeholder="As of: yesterday 14:05"
        maxLength={40}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      <button type="submit" class="chip" disabled={text.trim() === ''}>
        Show
      </button>
      {fault && (
        <span class="small" role="alert">
          {fault}
        </span>
      )}
    </form>
  );
}
