import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { ComponentChildren } from 'preact';
import { clockTime } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { sizes } from './fit.ts';
import type { Headline, SubPart } from './headline.ts';
import { cutTo, type WidthOf } from './text-widths.ts';
import { inside } from './wall-needs.ts';

export interface TopProps {
  readonly headline: Headline;
  readonly sub: readonly SubPart[];
  readonly wide: number;
  readonly widthOf: WidthOf;
  /** Below the clock: how fresh the wall is, and the page number. */
  readonly children: ComponentChildren;
}

const shapes = { ok: 'ok', bad: 'bad', out: 'cross' } as const;

/** The headline, the line below it, and the service's clock, legible from across the room. */
export function WallTop({ headline, sub, wide, widthOf, children }: TopProps) {
  const presentMs = useStore(useApp().connection.now.present);
  const { tone, service, text } = headline;
  const room = (wide - sizes.now - sizes.subGap) / sizes.headline - inside.headlineMark - widthOf('bold', text);
  return (
    <div class={tone === 'out' ? 'wall-top out' : 'wall-top'}>
      <div>
        <h1 class={tone}>
          {tone !== 'none' && <Mark shape={shapes[tone]} />}
          <span>
            {service !== '' && <bdi title={service}>{cutTo(service, room, 'bold', widthOf)}</bdi>}
            {text}
          </span>
        </h1>
        <p class="wall-sub">
          {sub.map((part) => (
            <span key={part.map((each) => each.text).join('')}>
              {part.map((each) => (each.look ? <b class={each.look}>{each.text}</b> : each.text))}
            </span>
          ))}
        </p>
        {tone === 'out' && (
          <p class="unseen" role="alert">
            Shiplog isn't responding.
          </p>
        )}
      </div>
      <div class="wall-now">
        <strong>{clockTime(presentMs, presentMs)}</strong>
        <span>{children}</span>
      </div>
    </div>
  );
}
