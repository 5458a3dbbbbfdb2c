import type { MatrixRow } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { pluralize, versionOf } from '@shiplog/text';
import { type Lag, lagIn } from '../board/attention.ts';
import { problemText, usualText } from '../board/attention-words.ts';
import { eventNamed, eventShown, lookOf, runningIn } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';
import { rollUpSentence } from '../board/roll-up.ts';
import { cellSentence } from '../board/sentence.ts';
import { type StageBox, type StageVersion, stageBoxOf } from '../board/stage-box.ts';
import { columnTitle } from '../board/titles.ts';
import { Age, useIsOut } from '../ui/age.tsx';
import { memo } from '../ui/memo.ts';
import { statusLabel } from '../ui/status.tsx';
import { Version } from '../ui/version.tsx';
import { CellFrame, idsOf, type Times } from './cell.tsx';
import type { CellLayout } from './layout.ts';
import { Rolls } from './rolls.tsx';

interface StageCellProps extends CellLayout, Times {
  readonly row: MatrixRow;
  readonly context: BoardContext;
}

/** All environments of a folded stage in one cell. A click unfolds the stage. */
export const StageCell = memo((props: StageCellProps) => {
  const { row, column, context, absolute, nowMs } = props;
  const { service } = row;
  const ages = { nowMs, isOut: useIsOut() };
  const stage = stageBoxOf(row, column.environments, context.futureRows);
  const lag = stage && lagIn(stage.worst, context.facts);
  const title = columnTitle(column);
  const sentences = stage?.places.map(({ environment, box }) => cellSentence(service, environment, box, ages)) ?? [];
  return (
    <CellFrame
      {...props}
      service={service}
      look={stage ? `stage-cell ${lookOf(stage.worst.box)}${lag ? ` ${lag.kind}` : ''}` : 'stage-cell none'}
      sentence={`${title}: ${stage ? [rollUpSentence(stage.counts), ...sentences].join('; ') : `${service} was never deployed there`}`}
      shown={stage?.places.map(({ box }) => idsOf(box)).join(' ')}
      version={stage?.versions.length === 1 ? stage.versions[0]?.version : undefined}
    >
      {stage ? <StageLines stage={stage} lag={lag} absolute={absolute} nowMs={nowMs} /> : '—'}
    </CellFrame>
  );
});

interface StageLinesProps extends Times {
  readonly stage: StageBox;
  readonly lag: Lag | undefined;
}

function StageLines({ stage, lag, ...times }: StageLinesProps) {
  const { worst, counts, versions } = stage;
  const { latest, tone } = worst.box;
  const shape = lag?.kind === 'stuck' ? 'stuck' : statusLook(eventShown(worst.box).status)[0];
  const isCalm = tone === 'ok' && !lag;
  const isMixed = isCalm && versions.length > 1;
  return (
    <>
      <div class={`line1 row ${shape}`}>
        <Mark shape={shape} />
        {isMixed ? (
          <b class="cut">{pluralize(versions.length, 'version')}</b>
        ) : (
          <Version text={versionOf(eventNamed(worst.box))} />
        )}
        {(isMixed || (!isCalm && stage.places.length > 1)) && <Rolls rollUp={counts} />}
      </div>
      <div class="line2 row small">
        <span class="words cut">
          {isMixed ? (
            <Versions versions={versions} />
          ) : isCalm ? (
            <>
              <bdi>{versions[0]?.where}</bdi> · <Age at={latest.happened_at} {...times} />
            </>
          ) : (
            <WorstWords stage={stage} lag={lag} {...times} />
          )}
        </span>
      </div>
      {hasThirdStageLine(stage, lag) && (
        <div class="line3 row soft fine">
          {tone === 'bad' ? <Succeeded stage={stage} {...times} /> : usualText(lag?.usualMinutes ?? 0)}
        </div>
      )}
    </>
  );
}

export function hasThirdStageLine({ worst, versions }: StageBox, lag: Lag | undefined): boolean {
  if (worst.box.tone === 'bad') return versions.length > 0;
  return lag?.kind === 'stuck' && lag.usualMinutes !== undefined;
}

/** "failed in eu 12 min", "running in eu · us, dr 12.0.4". */
function WorstWords({ stage, lag, ...times }: StageLinesProps) {
  const { worst, worstIn, versions } = stage;
  const { isFirst, tone } = worst.box;
  const { status, happened_at } = eventShown(worst.box);
  const isOut = useIsOut();
  const age = <Age at={happened_at} {...times} />;
  if (lag)
    return (
      <>
        <b class="lag">
          {lag.kind} in <bdi>{worstIn}</bdi>
        </b>{' '}
        {problemText({ ...lag, usualMinutes: undefined }, { nowMs: times.nowMs, isOut }).replace(`${lag.kind} `, '')}
      </>
    );
  const others = tone === 'run' ? versions.filter(({ where: names }) => names !== worstIn) : [];
  return (
    <>
      <span class="label">
        {statusLabel(status)} in <bdi>{worstIn}</bdi>
      </span>{' '}
      {isFirst && 'first, '}
      {others.length > 0 ? (
        <>
          · <Versions versions={others} />
        </>
      ) : (
        age
      )}
    </>
  );
}

function Versions({ versions }: { readonly versions: readonly StageVersion[] }) {
  return (
    <>
      {versions.map(({ version, where }, index) => (
        <span key={version}>
          {index > 0 && ' · '}
          <bdi>{where}</bdi> <Version text={version} />
        </span>
      ))}
    </>
  );
}

/** What still runs where the worst deployment failed, or else the newest version that runs in the stage. */
function Succeeded({ stage: { worst, versions }, absolute, nowMs }: Times & { readonly stage: StageBox }) {
  const running = runningIn(worst.box);
  const shown = versions.find(({ version }) => running && version === versionOf(running)) ?? versions[0];
  if (!shown) return null;
  return (
    <>
      <span class="what row">
        <Mark shape="ok" />
        <Version text={shown.version} />
      </span>
      <span class="cut">
        in <bdi>{shown.where}</bdi>, <Age at={shown.event.happened_at} nowMs={nowMs} absolute={absolute && 'day'} />
      </span>
    </>
  );
}
