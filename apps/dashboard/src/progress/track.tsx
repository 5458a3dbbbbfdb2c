import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import type { Column } from '../board/columns.ts';
import type { Place, PlaceMark } from '../board/progress.ts';
import { countedMarks, markLooks, placesSentence, strokeTo, toneOf } from '../board/progress-words.ts';

/** A stage with more environments shows how many there are of each mark. */
export const marksMax = { wide: 8, phone: 2 } as const;
const markPx = 20;
const countPx = 34;
const pillMarginPx = 36;

/** The widths of the stages in pixels: those with more environments have longer pills. */
function stageWidths(stages: readonly Column[]): number[] {
  return stages.map(({ environments: { length } }) =>
    length > marksMax.wide ? 3 * countPx + pillMarginPx : length * markPx + pillMarginPx,
  );
}

export function trackWidth(stages: readonly Column[]): number {
  return stageWidths(stages).reduce((sum, px) => sum + px, 0) + 24;
}

export function trackStyle(stages: readonly Column[], isPhone: boolean): Readonly<Record<`--track${string}`, string>> {
  if (isPhone) return { '--track': `repeat(${stages.length}, minmax(0, 1fr))`, '--track-min': '0' };
  return {
    '--track': stageWidths(stages)
      .map((px) => `minmax(${px}px, ${px}fr)`)
      .join(' '),
    '--track-min': `${trackWidth(stages)}px`,
  };
}

interface TrackProps {
  readonly stages: readonly Column[];
  readonly places: readonly Place[];
  readonly most: number;
}

/** A pill for each stage with a mark for each of its environments, and lines between the pills. */
export function Track({ stages, places, most }: TrackProps) {
  const byName = new Map(places.map((place) => [place.environment, place]));
  const inStages = stages.map(({ environments }) => environments.flatMap((name) => byName.get(name) ?? []));
  return (
    <span class="progress-track">
      <span class="unseen">{placesSentence(places) || 'never deployed to these environments'}</span>
      {inStages.map((own, index) => {
        const isUsed = (each: readonly Place[]) => strokeTo(each) !== undefined;
        const next = inStages.slice(0, index + 1).some(isUsed) ? inStages.slice(index + 1).find(isUsed) : undefined;
        const stroke = next && strokeTo(next);
        return (
          <span key={stages[index]?.key} class="progress-stage" aria-hidden="true">
            <span class={`pill row gap-4 ${toneOf(own) && `pill-${toneOf(own)}`}`}>
              {own.length > most ? <Counts places={own} /> : own.map((place) => <PlaceSign {...place} />)}
            </span>
            {index < stages.length - 1 && <i class={stroke ?? 'no-line'} />}
          </span>
        );
      })}
    </span>
  );
}

function PlaceSign({ environment, mark }: Place) {
  const title = `${plain(environment)}: ${markLooks[mark][1]}`;
  return (
    <span key={environment} class={`place ${markTone(mark)}`} title={title}>
      <Sign mark={mark} />
    </span>
  );
}

/**
 * How many environments have each mark, worst first; environments without the release are counted only if there are no
 * others.
 */
function Counts({ places }: Pick<TrackProps, 'places'>) {
  const used = places.filter(({ mark }) => mark !== 'none' && mark !== 'skipped');
  if (used.length === 0) {
    return (
      <span class="place">
        <Sign mark={places.some(({ mark }) => mark === 'skipped') ? 'skipped' : 'none'} />
      </span>
    );
  }
  return (
    <>
      {countedMarks(used).map(({ mark, count }) => (
        <span key={mark} class={`place count ${markTone(mark)}`} title={`${count} ${markLooks[mark][1]}`}>
          <Sign mark={mark} />
          {count}
        </span>
      ))}
    </>
  );
}

/** The mark of a place: nothing where the release was skipped, `—` where the service was never deployed. */
export function Sign({ mark }: { readonly mark: PlaceMark }) {
  const [shape] = markLooks[mark];
  if (shape) return <Mark shape={shape} />;
  return mark === 'none' ? <span>—</span> : null;
}

export function markTone(mark: PlaceMark): string {
  if (mark === 'passed') return 'bad';
  return toneOf([{ mark }]) === 'wait' ? 'strong-mark' : toneOf([{ mark }]) || mark;
}
