import type { Change } from '@shiplog/contract';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useBreaches } from '../log/breaches.tsx';
import { deploymentKey } from '../log/log-query.ts';
import { useCommand } from '../ui/commands.ts';
import { listen } from '../ui/listen.ts';
import { ChangeRow } from './change-row.tsx';
import { usePrefixes } from './service-name.tsx';

interface ChangeRowsProps {
  readonly label: string;
  readonly changes: readonly Change[];
  /** The start of the only day of the range, whose times need no day. */
  readonly day: number | undefined;
  /** The caption of the rows that follow, for each row; `undefined` = none. */
  readonly captionOf?: ((change: Change) => string | undefined) | undefined;
  /** Whether all rows show their events from the beginning. */
  readonly areOpen?: boolean;
}

/** Rows that open to their events. Space peeks: the peek follows j and k, while rows that were opened stay open. */
export function ChangeRows({ label, changes, day, captionOf, areOpen = false }: ChangeRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [peeked, setPeeked] = useState<string>();
  const isPinned = (key: string) => toggled.has(key) !== areOpen;
  const isOpen = (key: string) => isPinned(key) || peeked === key;
  const open = (key: string, pinned: boolean) => {
    setPeeked(undefined);
    if (pinned === isPinned(key)) return;
    const others = [...toggled].filter((other) => other !== key);
    setToggled(new Set(pinned === areOpen ? others : [...others, key]));
  };
  const toggle = (key: string) => open(key, peeked === key || !isPinned(key));
  const latest = useRef({ open, toggle, isOpen, peeked });
  latest.current = { open, toggle, isOpen, peeked };
  const move = (by: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('.change-toggle') ?? [])];
    const at = rows.findIndex((row) => row.closest('.change')?.contains(document.activeElement));
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    next?.focus();
    next?.closest('.change')?.scrollIntoView({ block: 'nearest' });
    if (peeked !== undefined) setPeeked(keyAt(next));
  };
  useCommand('next-change', changes.length > 0 ? () => move(1) : undefined);
  useCommand('previous-change', changes.length > 0 ? () => move(-1) : undefined);
  useEffect(() => {
    const press = (event: MouseEvent) => {
      const target = event.target as Element;
      const isOther = target.closest('a, .change-details, button:not(.change-toggle)') !== null;
      const key = keyAt(target);
      if (!isOther && key !== undefined && getSelection()?.isCollapsed !== false) latest.current.toggle(key);
    };
    const type = (event: KeyboardEvent) => {
      const key = keyAt(event.target as Element);
      if (key === undefined) return;
      const { open, isOpen, peeked } = latest.current;
      const isRow = (event.target as Element).matches('.change-toggle');
      if (event.key === ' ' && isRow) setPeeked(peeked === key ? undefined : key);
      else if (event.key === 'Escape' && isOpen(key)) open(key, false);
      else return;
      event.preventDefault();
    };
    // A button would otherwise be pressed when Space is released.
    const release = (event: KeyboardEvent) =>
      event.key === ' ' && (event.target as Element).matches('.change-toggle') && event.preventDefault();
    const element = list.current;
    return element ? listen(element, { click: press, keydown: type, keyup: release }) : undefined;
  }, []);
  const prefixes = usePrefixes();
  const breachOf = useBreaches(changes, ({ started_at }) => started_at);
  return (
    <div ref={list} class="card changes-list">
      <div class="change-head small strong" aria-hidden="true">
        {['State', 'Service', 'Change', 'Environment', 'By', 'Duration', 'Ended'].map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol aria-label={label}>
        {changes.map((change, index) => {
          const key = deploymentKey(change);
          const before = changes[index - 1];
          const caption = captionOf?.(change);
          return (
            <Fragment key={key}>
              {caption !== undefined && caption !== (before && captionOf?.(before)) && (
                <li class="change-caption small strong">{caption}</li>
              )}
              <ChangeRow
                rowKey={key}
                change={change}
                breach={breachOf(change)}
                prefix={prefixes.get(change.service) ?? ''}
                isOpen={isOpen(key)}
                day={day}
              />
            </Fragment>
          );
        })}
      </ol>
    </div>
  );
}

function keyAt(element: Element | undefined): string | undefined {
  return element?.closest<HTMLElement>('.change')?.dataset.key;
}
