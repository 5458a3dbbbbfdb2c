import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { lagIn } from '../board/attention.ts';
import { problemText } from '../board/attention-words.ts';
import { type Box, boxIn, lookOf } from '../board/box.ts';
import { stageRank } from '../board/columns.ts';
import { type Drift, driftIn, driftLabel } from '../board/drift.ts';
import type { Facts } from '../board/facts.ts';
import type { FutureRows } from '../board/future-rows.ts';
import type { RollKind } from '../board/roll-up.ts';
import { boxSentence, cellSentence } from '../board/sentence.ts';
import { useNow } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Star } from '../ui/star.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { BoxLines } from './cell.tsx';

export const toneShapes: Readonly<Record<RollKind, Shape>> = {
  bad: 'bad',
  run: 'run',
  wait: 'pause',
  ahead: 'ahead',
  off: 'dash',
  ok: 'ok',
};

interface SlotBox {
  readonly environment: string;
  readonly box: Box;
  readonly drift: Drift | undefined;
}

const marksMax = 5;

/**
 * The environments that are shown as marks: the last five stages or, if there are no stages, the first five
 * environments.
 */
export function marksOf(columns: readonly string[], promotionOrder: readonly string[]): readonly string[] {
  const rank = stageRank(promotionOrder, -1);
  const stages = columns.filter((name) => rank(name) >= 0);
  return stages.length > 0 ? stages.slice(-marksMax) : columns.slice(0, marksMax);
}

interface PhoneServiceProps {
  readonly row: MatrixRow;
  readonly columns: readonly string[];
  readonly marked: readonly string[];
  readonly production: string | undefined;
  readonly futureRows: FutureRows;
  readonly facts: Facts;
}

/** A service as one line. When opened, it lists the environments with links to their histories. */
export const PhoneService = memo(({ row, columns, marked, production, futureRows, facts }: PhoneServiceProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const boxes = columns.flatMap((environment) => {
    const box = boxIn(row, environment, futureRows);
    return box ? [{ environment, box, drift: driftIn(row, environment, facts) }] : [];
  });
  const slotIn = (name: string | undefined) => boxes.find(({ environment }) => environment === name);
  const unmarkedFailures = boxes.filter(
    ({ environment, box }) => box.tone === 'bad' && !marked.includes(environment),
  ).length;
  const problems = boxes.flatMap(({ environment, box }) => {
    if (box.tone === 'bad') return [`failed in ${environment}`];
    return box.tone === 'run' ? [`runs in ${environment}`] : [];
  });
  return (
    <details class="phone-service" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="shrink strong">
          <Cut text={row.service} />
        </span>
        <span class="phone-marks" aria-hidden="true">
          {marked.map((name) => (
            <StageMark key={name} box={slotIn(name)?.box} />
          ))}
        </span>
        <span class="full shrink gap-6 nowrap small">
          {production !== undefined && <Production name={production} {...slotIn(production)} />}
          {unmarkedFailures > 0 && <b class="bad-word cut">{unmarkedFailures} more failed</b>}
        </span>
        <span class="unseen">{problems.join(', ')}</span>
      </summary>
      {isOpen && <Slots service={row.service} boxes={boxes} facts={facts} />}
    </details>
  );
});

function StageMark({ box }: { readonly box: Box | undefined }) {
  const kind = box && (box.isInFuture && box.tone !== 'bad' && box.tone !== 'run' ? 'ahead' : box.tone);
  return <span class={kind ?? 'none'}>{kind && <Mark shape={toneShapes[kind]} />}</span>;
}

/** The last success in production, and the outcome of a later attempt. */
function Production({ name, box, drift }: Partial<SlotBox> & { readonly name: string }) {
  const success = box && (box.tone === 'ok' ? box.named : box.lastSuccess);
  return (
    <>
      <bdi>{name}</bdi> {success ? <Version text={versionOf(success)} /> : '— nothing yet'}
      {box?.tone === 'bad' && <b class="bad-word cut">{versionOf(box.named)} failed</b>}
      {box?.tone === 'wait' && <span>{versionOf(box.named)} waits</span>}
      {drift && <span class="drift">{driftLabel(drift)}</span>}
    </>
  );
}

interface SlotsProps {
  readonly service: string;
  readonly boxes: readonly SlotBox[];
  readonly facts: Facts;
}

function Slots({ service, boxes, facts }: SlotsProps) {
  const nowMs = useNow();
  return (
    <ul class="phone-places stack gap-4">
      {boxes.map(({ environment, box, drift }) => {
        const lag = lagIn({ service, environment, box }, facts);
        const sentences = [
          cellSentence(service, environment, box, nowMs, drift),
          lag && problemText(lag, { nowMs, isOut: false }),
        ];
        return (
          <li key={environment}>
            <Link class={`phone-place ${lookOf(box)} ${lag?.kind ?? ''}`} to={{ slot: { service, environment } }}>
              <span class="unseen">{sentences.filter(Boolean).join('; ')}</span>
              <b aria-hidden="true">
                <Cut text={environment} />
              </b>
              <span aria-hidden="true" title={boxSentence(box, nowMs)}>
                <BoxLines box={box} drift={drift} lag={lag} absolute={false} nowMs={nowMs} />
              </span>
            </Link>
          </li>
        );
      })}
      <li class="phone-mine row gap-4">
        <Star service={service} /> mine
      </li>
    </ul>
  );
}
