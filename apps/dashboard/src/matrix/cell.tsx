import type { DeploymentEvent, Outage } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, versionOf } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AgeContext } from '../board/age.ts';
import { type Lag, lagIn, outageReason } from '../board/attention.ts';
import { problemText, usualText } from '../board/attention-words.ts';
import { isEffective, type SlotState } from '../board/board.ts';
import { type Box, boxOf, lookOf, runningIn } from '../board/box.ts';
import { type Drift, driftLabel } from '../board/drift.ts';
import { type Facts, factsIn } from '../board/facts.ts';
import { findingNote } from '../board/finding-titles.ts';
import type { FutureRow } from '../board/future-rows.ts';
import type { HoldMark, Notices } from '../board/notices.ts';
import { cellSentence } from '../board/sentence.ts';
import { Age, useIsOut } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { lightUp } from '../ui/light-up.ts';
import { memo } from '../ui/memo.ts';
import { NoticeIcon } from '../ui/notice-icon.tsx';
import { statusLabel } from '../ui/status.tsx';
import { Version } from '../ui/version.tsx';
import type { CellLayout } from './layout.ts';

export interface Times {
  /** Whether to show times instead of ages. */
  readonly absolute: boolean;
  /** The time that ages are relative to. */
  readonly nowMs: number;
}

interface CellProps extends CellLayout, Times {
  readonly service: string;
  readonly environment: string;
  readonly slotState: SlotState | undefined;
  readonly ahead: FutureRow | undefined;
  readonly drift: Drift | undefined;
  readonly facts: Facts;
  readonly notices: Notices;
  readonly isProduction: boolean;
}

const wideCellPx = 230;

/** One slot of the board. Its accessible name is a sentence with everything that it shows. */
export const Cell = memo((props: CellProps) => {
  const { service, environment, slotState, ahead, drift, facts, notices, isProduction, absolute, nowMs } = props;
  const ages = { nowMs, isOut: useIsOut() };
  const box = slotState && boxOf(slotState, ahead);
  const lag = box && lagIn({ service, environment, box }, facts);
  const held = notices.ofSlot(service, environment, box && runningIn(box));
  const outage = notedOutage(notices.outageIn(service, environment, isProduction), box, ages);
  const note = findingNote(factsIn(facts, service, environment)?.findings ?? []);
  const parts = [
    cellSentence(service, environment, box, ages, drift),
    lag && problemText(lag, ages),
    note,
    held?.text,
    outage?.text,
  ];
  return (
    <CellFrame
      {...props}
      look={box ? `${lookOf(box)}${lag ? ` ${lag.kind}` : ''}` : 'none'}
      sentence={parts.filter(Boolean).join('; ')}
      shown={box && idsOf(box)}
      version={box && versionOf(box.named)}
    >
      {box ? (
        <BoxLines
          box={box}
          drift={drift}
          lag={lag}
          note={note}
          held={held}
          outage={outage}
          isNarrow={props.width < wideCellPx}
          {...{ absolute, nowMs }}
        />
      ) : (
        '—'
      )}
    </CellFrame>
  );
});

interface CellFrameProps extends CellLayout {
  readonly service: string;
  readonly look: string;
  readonly sentence: string;
  /** The ids of the events in the cell, which lights up when they change. */
  readonly shown: string | undefined;
  /** The version to copy. */
  readonly version: string | undefined;
  readonly children: ComponentChildren;
}

export function CellFrame(props: CellFrameProps) {
  const { service, column, index, left, width, isActive, beginsStage, look, sentence, version } = props;
  const flashed = useFlash(props.shown);
  // Only the cell with the pointer or the focus shows the button, so the other cells are drawn without it.
  const [hasCopy, setHasCopy] = useState(false);
  const drawCopy = () => setHasCopy(true);
  return (
    <div
      ref={flashed}
      role="gridcell"
      class={`cell ${look}${beginsStage ? ' begins' : ''}`}
      aria-colindex={index + 2}
      data-column={column.key}
      data-service={service}
      data-environment={column.isFolded ? undefined : column.environments[0]}
      tabIndex={isActive ? 0 : -1}
      style={{ left: `${left}px`, width: `${width}px` }}
      onPointerEnter={drawCopy}
      onFocusIn={drawCopy}
    >
      <span class="unseen">{sentence}</span>
      <div class="inside" aria-hidden="true">
        {props.children}
      </div>
      {hasCopy && version !== undefined && (
        <button type="button" class="copy bare" tabIndex={-1} data-copy={version} aria-label={`Copy ${version}`}>
          <Mark shape="copy" />
        </button>
      )}
    </div>
  );
}

export function idsOf({ latest, lastSuccess, next, hidden }: Box): string {
  return `${latest.id} ${lastSuccess?.id} ${next?.id} ${hidden?.id}`;
}

function useFlash(shown: string | undefined) {
  const at = useApp().past.value.shown;
  const element = useRef<HTMLDivElement>(null);
  const before = useRef({ shown, at });
  useLayoutEffect(() => {
    // A step to another time of the board doesn't count as a change.
    const isNew = before.current.shown !== shown && before.current.at === at;
    before.current = { shown, at };
    if (isNew) lightUp(element.current);
  }, [shown, at]);
  return element;
}

/** Whether a box has a third line: the last success before a failure, or how long a stuck deployment usually takes. */
export function hasThirdLine(box: Box, lag: Lag | undefined): boolean {
  const own = isOfNext(lag, box) ? undefined : lag;
  return own?.kind === 'stuck' ? own.usualMinutes !== undefined : box.tone === 'bad' && box.lastSuccess !== undefined;
}

/** Whether a lag is that of the next deployment, which has no lines of its own. */
function isOfNext(lag: Lag | undefined, { next }: Box): boolean {
  return lag !== undefined && next !== undefined && Date.parse(next.happened_at) === lag.sinceMs;
}

type OutageNote = { readonly kind: 'outage'; readonly text: string };

/** "outage 12 min, suspected: 1.4.2: Payments are declined". */
function notedOutage(outage: Outage | undefined, box: Box | undefined, ages: AgeContext): OutageNote | undefined {
  if (!outage || !box) return undefined;
  const reason = outageReason(outage, box);
  const words = problemText({ ...reason, usualMinutes: undefined, box }, ages);
  return { kind: 'outage', text: plain(`${words}: ${reason.text}`) };
}

interface BoxLinesProps extends Times {
  readonly box: Box;
  readonly drift: Drift | undefined;
  readonly lag: Lag | undefined;
  /** A note on findings in the log for this slot. */
  readonly note?: string | undefined;
  readonly held?: HoldMark | undefined;
  readonly outage?: OutageNote | undefined;
  /** There is no space for a second version in a line. */
  readonly isNarrow?: boolean;
}

/** The lines of a box: the version, its state and age, and for a failure the last success. */
export function BoxLines({ box, drift, lag, note, held, outage, isNarrow = false, ...times }: BoxLinesProps) {
  const { named, latest, hidden, lastSuccess, next } = box;
  const isNextLagging = isOfNext(lag, box);
  const own = isNextLagging ? undefined : lag;
  const shape = own?.kind === 'stuck' ? 'stuck' : statusLook(latest.status)[0];
  const comingUp = next && (
    <Next event={next} lag={isNextLagging ? lag : undefined} nowMs={times.nowMs} isNarrow={isNarrow} />
  );
  return (
    <>
      <div class={`line1 row ${shape}`}>
        <Mark shape={shape} />
        <Version text={versionOf(named)} />
        {!isNarrow && comingUp}
      </div>
      <div class="line2 row small">
        <span class="words cut">
          {own ? <LagWords lag={own} nowMs={times.nowMs} /> : <StateWords box={box} {...times} />}
        </span>
        {hidden && (
          <span class="mini hidden-report" title={`An event dated in the future hides the newer ${versionOf(hidden)}`}>
            <Mark shape={statusLook(hidden.status)[0]} />
            {isNarrow ? 'newer' : <Version text={versionOf(hidden)} />}
          </span>
        )}
        {isNarrow && comingUp}
        {drift && box.tone === 'ok' && <span class="mini drift">{note ? `↓${drift.count}` : driftLabel(drift)}</span>}
        {outage && <NoticeIcon mark={outage} />}
        {held && <NoticeIcon mark={held} />}
        {note && (
          <span class="cell-finding soft" title={note}>
            <Mark shape="doubt" />
          </span>
        )}
      </div>
      {hasThirdLine(box, lag) && (
        <div class="line3 row soft fine">
          {own?.kind === 'stuck'
            ? usualText(own.usualMinutes ?? 0)
            : lastSuccess && <Last event={lastSuccess} {...times} />}
        </div>
      )}
    </>
  );
}

/** "failed 26 min", "running 3 min, failed before", "waiting first, 2 h"; success needs no word. */
function StateWords({ box: { isFirst, latest, warned }, ...times }: { readonly box: Box } & Times) {
  const age = <Age at={latest.happened_at} {...times} />;
  if (latest.status === 'success') return age;
  return (
    <>
      <span class="label">{statusLabel(latest.status)}</span> {isFirst && 'first, '}
      {age}
      {warned && <b class="warn">, {isEffective(latest) ? 'last attempt failed' : 'failed before'}</b>}
    </>
  );
}

/** "slow 41 min, usually 9 min"; for a stuck deployment the usual time is on the next line. */
function LagWords({ lag, nowMs }: { readonly lag: Lag; readonly nowMs: number }) {
  const ages = { nowMs, isOut: useIsOut() };
  const { usualMinutes, ...stuck } = lag;
  const words = problemText(lag.kind === 'stuck' ? { ...stuck, usualMinutes: undefined } : lag, ages);
  return (
    <span class="lag strong" title={problemText(lag, ages)}>
      {words}
    </span>
  );
}

interface NextProps {
  readonly isNarrow: boolean;
  readonly event: DeploymentEvent;
  readonly lag: Lag | undefined;
  readonly nowMs: number;
}

/** The next deployment of the slot, which hasn't started: its version, or its status in a narrow cell. */
function Next({ event, lag, nowMs, isNarrow }: NextProps) {
  const words = statusLabel(event.status);
  const ages = { nowMs, isOut: useIsOut() };
  return (
    <span class={`mini next push ${lag ? 'late' : ''}`} title={lag ? `${words}, ${problemText(lag, ages)}` : words}>
      <Mark shape={lag?.kind === 'stuck' ? 'stuck' : statusLook(event.status)[0]} />
      {isNarrow ? words : <Version text={versionOf(event)} />}
    </span>
  );
}

function Last({ event, absolute, nowMs }: Times & { readonly event: DeploymentEvent }) {
  return (
    <>
      <span class="what row">
        <Mark shape="ok" />
        <Version text={versionOf(event)} />
      </span>
      <Age at={event.happened_at} nowMs={nowMs} absolute={absolute && 'day'} />
    </>
  );
}
