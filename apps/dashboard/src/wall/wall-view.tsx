import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useAttention } from '../attention/use-attention.ts';
import { clockTime } from '../board/age.ts';
import { filterLabels } from '../filters/filter-labels.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext, useNow, useShown } from '../ui/app.ts';
import { Freshness } from '../ui/freshness.tsx';
import { Link } from '../ui/link.tsx';
import { listen } from '../ui/listen.ts';
import { phone, useMedia, useWindowSize } from '../ui/use-media.ts';
import { fitWall, sizes } from './fit.ts';
import { endedTexts, headlineOf, outageTexts, subOf, type WallTexts } from './headline.ts';
import { HealthyList } from './healthy-list.tsx';
import { canvasWidths, cutTo, type WidthOf } from './text-widths.ts';
import { usePages, usePointerMoved, useWakeLock } from './use-screen.ts';
import { wallContent } from './wall-content.ts';
import { inside, needsOf } from './wall-needs.ts';
import { WallTable } from './wall-table.tsx';
import './wall.css';

/** The board for a screen on a wall: everything in the largest type that fits, without controls. */
export function WallView() {
  const { navigation, outage } = useApp();
  const { board: state } = useAddress();
  const since = useStore(outage);
  const isMoved = usePointerMoved();
  const board = useBoard();
  const isPhone = useMedia(phone);
  const grid = { board: { ...state, layout: 'grid' as const } };
  useWakeLock();
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && navigation.go(grid);
    return listen(document, { keydown: press });
  }, [navigation, state]);
  return (
    <div class={`wall ${since === undefined ? '' : 'outage'} ${isMoved ? 'moved' : ''}`}>
      <main id="main" tabIndex={-1}>
        {isPhone ? (
          <div class="wall-narrow stack gap-16">
            <h1>The wall needs a wider screen</h1>
            <Link to={grid}>Use the grid</Link>
            <Freshness />
          </div>
        ) : board || since !== undefined ? (
          <Wall since={since} />
        ) : (
          <p>Loading the board …</p>
        )}
        <Link class="wall-way-out" to={grid}>
          Leave the wall (Esc)
        </Link>
      </main>
    </div>
  );
}

function Wall({ since }: { readonly since: number | undefined }) {
  const address = useAddress();
  const shown = useShown();
  const context = useBoardContext();
  const nowMs = useNow();
  const screen = useWindowSize();
  const { link, asOf } = useStore(useApp().connection.link);
  const isOut = since !== undefined;
  const filters = filterLabels(address);
  const { items: attention } = useAttention();
  const content = useMemo(
    () => wallContent(shown, { context, attention, nowMs, isOut }),
    [shown, context, attention, nowMs, isOut],
  );
  const seen = { shown, attention, stages: context.stages };
  const texts = isOut
    ? (link === 'ended' ? endedTexts : outageTexts)(since, asOf, Date.now())
    : { headline: headlineOf(seen), sub: subOf(seen, content, filters, nowMs) };
  const widthOf = useWidths();
  const plan = fitWall(needsOf(content, texts, widthOf), screen);
  const { page, isHalted } = usePages(plan.pages.length);
  const wide = screen.width / plan.unitPx - 2 * sizes.edge;
  const pages = plan.pages.length > 1 ? `${page + 1} of ${plan.pages.length}${isHalted ? ' ‖' : ''}` : '';
  return (
    <div class="wall-fit" style={{ fontSize: `${plan.unitPx}px` }}>
      <WallTop {...texts} wide={wide} widthOf={widthOf}>
        {isOut ? asOf > 0 && <span>board of {clockTime(asOf, Date.now())}</span> : <Freshness />}
        {pages}
      </WallTop>
      {content.rows.length > 0 && plan.columns.length > 0 && (
        <WallTable content={content} plan={plan} page={page} widthOf={widthOf} />
      )}
      <HealthyList content={content} plan={plan} widthOf={widthOf} isOut={isOut} wide={wide} />
    </div>
  );
}

/** Measures texts in the fonts of the page. */
function useWidths() {
  return useMemo(() => {
    const style = getComputedStyle(document.body);
    return canvasWidths(style.fontFamily, style.getPropertyValue('--mono') || 'monospace');
  }, []);
}

interface TopProps extends WallTexts {
  readonly wide: number;
  readonly widthOf: WidthOf;
  /** Below the clock: how fresh the wall is, and the page number. */
  readonly children: ComponentChildren;
}

const shapes = { ok: 'ok', bad: 'bad', out: 'cross' } as const;

function WallTop({ headline, sub, wide, widthOf, children }: TopProps) {
  const presentMs = useStore(useApp().connection.now.present);
  const { tone, service, text, alert } = headline;
  const room = (wide - sizes.now - sizes.subGap) / sizes.headline - inside.headlineMark - widthOf('bold', text);
  return (
    <div class={tone === 'out' ? 'wall-top out' : 'wall-top'}>
      <div>
        <h1 class={`row ${tone}`}>
          {tone !== 'none' && <Mark shape={shapes[tone]} />}
          <span>
            {service !== '' && <bdi title={service}>{cutTo(service, room, 'bold', widthOf)}</bdi>}
            {text}
          </span>
        </h1>
        <p class="wrap wall-sub soft">
          {sub.map((part) => (
            <span key={part.map((each) => each.text).join('')}>
              {part.map((each) => (each.emphasis ? <b class={each.emphasis}>{each.text}</b> : each.text))}
            </span>
          ))}
        </p>
        {alert && (
          <p class="unseen" role="alert">
            {alert}
          </p>
        )}
      </div>
      <div class="wall-now right soft">
        <strong>{clockTime(presentMs, presentMs)}</strong>
        <span class="row">{children}</span>
      </div>
    </div>
  );
}
