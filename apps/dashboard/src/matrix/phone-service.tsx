import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { lagIn } from '../board/attention.ts';
import { problemText } from '../board/attention-words.ts';
import { eventNamed, eventShown, lookOf, type SlotBox, slotBoxesIn } from '../board/box.ts';
import type { Column } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import { type Drift, driftIn, driftLabel } from '../board/drift.ts';
import type { Facts } from '../board/facts.ts';
import { kindOf } from '../board/roll-up.ts';
import { boxSentence, cellSentence } from '../board/sentence.ts';
import { type StageBox, stageBoxOf } from '../board/stage-box.ts';
import { useIsOut } from '../ui/age.tsx';
import { useNow } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { ServiceName } from '../ui/service-name.tsx';
import { Star } from '../ui/star.tsx';
import { statusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { BoxLines } from './cell.tsx';
import { rollShapes } from './rolls.tsx';

interface DriftedBox extends SlotBox {
  readonly drift: Drift | undefined;
}

interface PhoneServiceProps {
  readonly row: MatrixRow;
  readonly columns: readonly string[];
  /** The stages, or the environments if there are no stages. */
  readonly marked: readonly Column[];
  readonly prefix: string;
  readonly context: BoardContext;
}

/** The parts of a line other than the name. */
const besideNamePx = 172;

/** A service as one line. When opened, it lists the environments with links to their histories. */
export const PhoneService = memo(({ row, columns, marked, prefix, context }: PhoneServiceProps) => {
  const { futureRows, facts, stages } = context;
  const [isOpen, setIsOpen] = useState(false);
  const boxes = slotBoxesIn(row, columns, futureRows).map((slotBox) => ({
    ...slotBox,
    drift: driftIn(row, slotBox.environment, facts),
  }));
  const inMarks = marked.flatMap(({ environments }) => environments);
  const unmarkedFailures = boxes.filter(
    ({ environment, box }) => box.tone === 'bad' && !inMarks.includes(environment),
  ).length;
  const problems = boxes.flatMap(({ environment, box }) => {
    if (box.tone === 'bad') return [`failed in ${environment}`];
    return box.tone === 'run' ? [`runs in ${environment}`] : [];
  });
  const production = marked.find(({ environments }) => environments.some((name) => stages.production.has(name)));
  const drift = boxes.find(({ environment, drift: own }) => own && stages.production.has(environment))?.drift;
  return (
    <details class="phone-service" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="shrink strong">
          <ServiceName text={row.service} prefix={prefix} isPrefixShown={false} width={innerWidth - besideNamePx} />
        </span>
        <span class="phone-marks" aria-hidden="true">
          {marked.map(({ key, environments }) => (
            <StageMark key={key} stage={stageBoxOf(row, environments, futureRows)} />
          ))}
        </span>
        <span class="full shrink gap-6 nowrap small">
          {production && <Production stage={stageBoxOf(row, production.environments, futureRows)} />}
          {drift && <span class="mini drift">{driftLabel(drift)}</span>}
          {unmarkedFailures > 0 && <b class="bad-text cut">{unmarkedFailures} more failed</b>}
        </span>
        <span class="unseen">{problems.join(', ')}</span>
      </summary>
      {isOpen && <Slots service={row.service} boxes={boxes} facts={facts} />}
    </details>
  );
});

function StageMark({ stage }: { readonly stage: StageBox | undefined }) {
  const kind = stage && kindOf(stage.worst.box);
  return <span class={kind ?? 'none'}>{kind && <Mark shape={rollShapes[kind]} />}</span>;
}

/** "eu 2.10.0 failed us, dr 2.9.4", "2 versions: eu 1.4.2 us 1.4.1", "all 3 1.4.2". */
function Production({ stage }: { readonly stage: StageBox | undefined }) {
  if (!stage) return <span>— not in production</span>;
  const { worst, worstIn, versions } = stage;
  const { tone } = worst.box;
  return (
    <>
      {tone !== 'ok' && (
        <b class={tone === 'bad' ? 'bad-text cut' : 'cut'}>
          {worstIn} {versionOf(eventNamed(worst.box))} {statusLabel(eventShown(worst.box).status)}
        </b>
      )}
      {tone === 'ok' && versions.length > 1 && `${versions.length} versions:`}
      {versions.map(({ version, where }) => (
        <span key={version} class="row gap-4">
          {stage.places.length > 1 && where} <Version text={version} />
        </span>
      ))}
    </>
  );
}

interface SlotsProps {
  readonly service: string;
  readonly boxes: readonly DriftedBox[];
  readonly facts: Facts;
}

function Slots({ service, boxes, facts }: SlotsProps) {
  const nowMs = useNow();
  const ages = { nowMs, isOut: useIsOut() };
  return (
    <ul class="phone-places stack gap-4">
      {boxes.map(({ environment, box, drift }) => {
        const lag = lagIn({ service, environment, box }, facts);
        const sentences = [cellSentence(service, environment, box, ages, drift), lag && problemText(lag, ages)];
        return (
          <li key={environment}>
            <Link class={`phone-place ${lookOf(box)} ${lag?.kind ?? ''}`} to={{ slot: { service, environment } }}>
              <span class="unseen">{sentences.filter(Boolean).join('; ')}</span>
              <b aria-hidden="true">
                <Cut text={environment} />
              </b>
              <span aria-hidden="true" title={boxSentence(box, ages)}>
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
