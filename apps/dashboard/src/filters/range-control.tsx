import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useState } from 'preact/hooks';
import { type Range, type RangeName, rangeAround, shifted, spanOf, titleOf, zoomedOut } from '../range/range.ts';
import { fieldText, rangeWords } from '../range/range-words.ts';
import { rangeOfTexts } from '../range/typed-range.ts';
import { typedTime } from '../range/typed-time.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import './range-control.css';

interface RangeControlProps {
  readonly range: Range;
  /** The named ranges that the menu offers. */
  readonly names: readonly RangeName[];
}

/** The time range of a view: the one before and after it, a menu to choose another one, and zooming out. */
export function RangeControl({ range, names }: RangeControlProps) {
  const { navigation, connection } = useApp();
  const nowMs = useStore(connection.now.present);
  const step = (label: string, to: Range | undefined, icon: string) => (
    <button
      type="button"
      class="chip"
      aria-label={label}
      title={label}
      disabled={to === undefined}
      onClick={() => to && navigation.go({ range: to })}
    >
      <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
        <path class="line" d={icon} />
      </svg>
    </button>
  );
  return (
    <fieldset class="joined range" aria-label="Time range">
      {step('Earlier', shifted(range, -1, nowMs), 'M10 4L6 8l4 4')}
      <Menu
        title={
          <>
            <Mark shape="clock" /> <b>{rangeWords(range, nowMs)}</b>
          </>
        }
      >
        <RangeForm key={JSON.stringify(range)} range={range} nowMs={nowMs} />
        <ul class="range-names" aria-label="Named ranges">
          {names.map((name) => (
            <li key={name}>
              <Link to={{ range: { name } }} aria-current={range.name === name ? 'true' : undefined}>
                {titleOf(name)}
              </Link>
            </li>
          ))}
        </ul>
        <AroundForm nowMs={nowMs} />
        <p class="small">Or in Ctrl K: prod yesterday 13:10 to 14:10</p>
      </Menu>
      {step('Later', shifted(range, 1, nowMs), 'M6 4l4 4-4 4')}
      {step('Zoom out', zoomedOut(range, nowMs), 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14M5 7h4')}
    </fieldset>
  );
}

/** Two fields for the start and the end. They keep what is typed while the clock moves. */
function RangeForm({ range, nowMs }: { readonly range: Range; readonly nowMs: number }) {
  const { navigation } = useApp();
  const { fromMs, toMs, isLive } = spanOf(range, nowMs);
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  const [fault, setFault] = useState<string>();
  const texts = [from ?? fieldText(fromMs), to ?? (isLive ? '' : fieldText(toMs))] as const;
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = rangeOfTexts(...texts, nowMs);
    if (chosen) navigation.go({ range: chosen });
    else setFault('Not a valid range. Type times such as “14:05”, “yesterday 14:05” or “2026-11-19 14:05”.');
  };
  const field = (label: string, value: string, set: (value: string) => void) => (
    <label class="row range-field">
      <span class="soft">{label}</span>
      <input
        class="field mono"
        maxLength={40}
        value={value}
        aria-invalid={fault === undefined ? undefined : 'true'}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
  return (
    <form class="column" aria-label="From and to" onSubmit={submit}>
      {field('From', texts[0], setFrom)}
      {field('To', texts[1], setTo)}
      {fault && (
        <p class="small" role="alert">
          {fault}
        </p>
      )}
      <div class="row apart">
        <span class="small">Leave “To” empty to stay live.</span>
        <button type="submit" class="chip call">
          Apply
        </button>
      </div>
    </form>
  );
}

function AroundForm({ nowMs }: { readonly nowMs: number }) {
  const { navigation } = useApp();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    const time = typedTime(text, nowMs);
    if (time !== 'now' && 'fault' in time) setFault(time.fault);
    else navigation.go({ range: rangeAround(time === 'now' ? nowMs : time.ms) });
  };
  return (
    <form class="column" aria-label="Around a time" onSubmit={submit}>
      <div class="row">
        <label class="row range-field">
          <span class="soft">Around</span>
          <input
            class="field"
            maxLength={40}
            placeholder="14:05"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="chip" disabled={text.trim() === ''}>
          ± 1 h
        </button>
      </div>
      {fault && (
        <p class="small" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
