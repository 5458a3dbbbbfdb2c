import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Address } from '../state/address.ts';
import { listen } from '../ui/listen.ts';
import { type Band, type Frame, labelEvery, plotHeight, type Rise } from './geometry.ts';
import { RowsLink } from './rows-link.tsx';
import { dayLabel } from './span.ts';

interface PlotProps {
  /** The description for screen readers. */
  readonly label: string;
  readonly children: (width: number) => ComponentChildren;
}

/** A chart drawn in pixels at the width of its container, so that its text has normal size. */
export function Plot({ label, children }: PlotProps) {
  const container = useRef<HTMLElement>(null);
  const width = useWidth(container);
  useOneTabStop(container);
  return (
    <figure ref={container} class="plot">
      {width > 0 && (
        <svg width={width} height={plotHeight} viewBox={`0 0 ${width} ${plotHeight}`}>
          <title>{label}</title>
          {children(width)}
        </svg>
      )}
    </figure>
  );
}

function useWidth(container: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

function linksIn(container: Element): SVGAElement[] {
  return [...container.querySelectorAll<SVGAElement>('svg a')];
}

/** All marks are one tab stop; the arrow keys move between them. */
function useOneTabStop(container: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const links = container.current ? linksIn(container.current) : [];
    const stop = links.find((link) => link === document.activeElement) ?? links[0];
    for (const link of links) link.setAttribute('tabindex', link === stop ? '0' : '-1');
  });
  useEffect(() => (container.current ? listen(container.current, { keydown: walk }) : undefined), []);
}

function walk(event: KeyboardEvent): void {
  const links = linksIn(event.currentTarget as Element);
  const at = links.indexOf(document.activeElement as SVGAElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: links.length - 1,
  };
  const next = at === -1 ? undefined : links[targets[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  links[at]?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}

interface MarkLinkProps {
  readonly to: Partial<Address>;
  /** The text that is shown on hover. */
  readonly label: string;
  readonly children: ComponentChildren;
}

export function MarkLink({ to, label, children }: MarkLinkProps) {
  return (
    <RowsLink to={to} aria-label={label}>
      <title>{label}</title>
      {children}
    </RowsLink>
  );
}

interface AxisProps {
  readonly frame: Frame;
  readonly rise: Rise;
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
}

export function RiseAxis({ frame, rise, ticks, text }: AxisProps) {
  return (
    <svg aria-hidden="true">
      {ticks.map((value) => (
        <g key={value}>
          <line class="rule" x1={frame.left} x2={frame.right} y1={line(rise.yOf(value))} y2={line(rise.yOf(value))} />
          <text x={frame.left - 8} y={rise.yOf(value) + 4} text-anchor="end">
            {text(value)}
          </text>
        </g>
      ))}
    </svg>
  );
}

interface DayAxisProps {
  readonly bands: readonly Band[];
  readonly frame: Frame;
  /** The name of the last day if it is partial. */
  readonly last?: string | undefined;
}

/** The space for that name, in pixels. */
const nameWidth = 96;

/** Shows as many day labels as fit, counted from the last day. */
export function DayAxis({ bands, frame, last }: DayAxisProps) {
  const every = labelEvery(bands.length, frame);
  const room = frame.right - (last === undefined ? 0 : nameWidth);
  return (
    <svg aria-hidden="true">
      {bands.map(({ key, middle }, index) =>
        (bands.length - 1 - index) % every === 0 && (last === undefined || middle < room) ? (
          <text key={key} x={middle} y={frame.bottom + 18} text-anchor="middle">
            {dayLabel(key)}
          </text>
        ) : undefined,
      )}
      {last !== undefined && (
        <text class="named" x={frame.right} y={frame.bottom + 18} text-anchor="end">
          {last}
        </text>
      )}
    </svg>
  );
}

export function NameAxis({ bands, frame }: { readonly bands: readonly Band[]; readonly frame: Frame }) {
  return (
    <svg aria-hidden="true">
      {bands.map(({ key, middle }) => (
        <text key={key} x={middle} y={frame.bottom + 18} text-anchor="middle">
          {key}
        </text>
      ))}
    </svg>
  );
}

/** The nearest position at which a one-pixel line is sharp: between two coordinates. */
function line(y: number): number {
  return Math.round(y) + 0.5;
}
