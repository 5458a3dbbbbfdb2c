import type { AnyEvidenceReport } from '@shiplog/contract';
import { ticksTo } from '../axis.ts';
import { spanText } from '../figures.ts';

const size = { width: 400, height: 60, left: 8, right: 392, bottom: 42 };
/** Axis units in minutes: days, hours, minutes. */
const units = [1440, 60, 1];

/** Shows times as dots on an axis, with their median. */
export function Spread({ minutes, middle }: { readonly minutes: readonly number[]; readonly middle: number | null }) {
  if (minutes.length < 2) return null;
  const [least, most] = [Math.min(...minutes), Math.max(...minutes)];
  const unit = units.find((each) => most >= 2 * each) ?? 1;
  const ticks = ticksTo(most / unit || 1, 0.01);
  const scale = (value: number) => size.left + ((size.right - size.left) * value) / (ticks.at(-1) ?? 1);
  const xOf = (value: number) => scale(value / unit);
  const middleX = middle === null ? undefined : xOf(middle);
  return (
    <figure class="spread">
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        <path class="spread-axis" d={`M${size.left} ${size.bottom + 0.5}H${size.right}`} />
        {minutes.map((value, index) => (
          <circle key={index} cx={xOf(value)} cy={20 + ((index * 7) % 18)} r="2.5" />
        ))}
        {middleX !== undefined && middle !== null && (
          <>
            <path class="spread-middle" d={`M${middleX} 6V${size.bottom + 4}`} />
            <text
              class="named"
              x={middleX + (middleX > 300 ? -5 : 5)}
              y="12"
              text-anchor={middleX > 300 ? 'end' : 'start'}
            >
              {spanText(middle)}
            </text>
          </>
        )}
        {ticks.map((tick) => (
          <text key={tick} x={scale(tick)} y={size.height - 3} text-anchor={anchorOf(scale(tick))}>
            {tick === 0 ? '0' : spanText(tick * unit)}
          </text>
        ))}
      </svg>
      <figcaption class="small">
        {minutes.length} times from {spanText(least)} to {spanText(most)}
        {middle !== null && `, median ${spanText(middle)}`}.
      </figcaption>
    </figure>
  );
}

function anchorOf(x: number): 'start' | 'middle' | 'end' {
  if (x < 30) return 'start';
  return x > size.right - 20 ? 'end' : 'middle';
}

/** The median in minutes; `null` if the figure has no median or several. */
export function middleOf({ value, unit }: Pick<AnyEvidenceReport, 'value' | 'unit'>): number | null {
  if (typeof value === 'number' && unit !== 'count') return unit === 'hours' ? value * 60 : value;
  const isOne = typeof value === 'object' && value !== null && 'p50' in value;
  return isOne && typeof value.p50 === 'number' ? value.p50 : null;
}
