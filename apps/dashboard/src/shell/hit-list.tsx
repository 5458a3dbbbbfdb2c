import { grouped, plain } from '@shiplog/text';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Hit } from './hit.ts';

interface HitListProps {
  readonly hits: readonly Hit[];
  readonly at: number;
  readonly typed: string;
  readonly onOpen: (hit: Hit, inNewTab: boolean) => void;
}

export function hitId(index: number): string {
  return `palette-hit-${index}`;
}

/** The hits, by group. The search field keeps the focus. */
export function HitList({ hits, at, typed, onOpen }: HitListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, hits]);
  return (
    <div ref={list} id="palette-hits" class="palette-hits" role="listbox" aria-label="Results" tabIndex={-1}>
      {[...grouped(hits, ({ group }) => group)].map(([group, own]) => (
        <div key={group} role="group" aria-label={group}>
          <p class="palette-group strong small" aria-hidden="true">
            {group}
          </p>
          {own.map((hit) => {
            const index = hits.indexOf(hit);
            return (
              <div
                key={hit.id}
                id={hitId(index)}
                class="palette-hit row"
                role="option"
                aria-selected={index === at}
                onPointerDown={(event) => event.preventDefault()}
                onClick={(event) => onOpen(hit, event.ctrlKey || event.metaKey)}
              >
                <Title hit={hit} typed={typed.trim()} />
                <bdi class="palette-detail cut small">{plain(hit.detail)}</bdi>
                {hit.keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </div>
            );
          })}
        </div>
      ))}
      {hits.length === 0 && <p class="palette-none breaks soft">No results for “{plain(typed)}”.</p>}
    </div>
  );
}

function Title({ hit: { title, isVersion, after }, typed }: { readonly hit: Hit; readonly typed: string }) {
  const shown = plain(title);
  const at = typed === '' ? -1 : shown.toLowerCase().indexOf(typed.toLowerCase());
  const end = at + typed.length;
  return (
    <span class="palette-title cut">
      <bdi class={isVersion ? 'version' : ''}>
        {at < 0 ? (
          shown
        ) : (
          <>
            {shown.slice(0, at)}
            <mark>{shown.slice(at, end)}</mark>
            {shown.slice(end)}
          </>
        )}
      </bdi>{' '}
      <bdi>{plain(after)}</bdi>
    </span>
  );
}
