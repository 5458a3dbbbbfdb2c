import type { DeploymentEvent } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { shortRef, shortSha, versionOf } from '@shiplog/text';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Time } from '../ui/age.tsx';
import { DayTime } from '../ui/day-time.tsx';
import { lightUp } from '../ui/light-up.ts';
import { listen } from '../ui/listen.ts';
import { memo } from '../ui/memo.ts';
import { StatusLabel, statusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { BreachMark, type BreachOf, breachAt } from './breaches.tsx';
import { EventFields } from './event-fields.tsx';
import { runLinkOf } from './outer-link.tsx';
import { ReleaseLink } from './release-link.tsx';

/** A row of a list of one slot, which doesn't repeat the slot. */
export interface EventRowProps {
  readonly event: DeploymentEvent;
  /** Whether a row is highlighted when it first renders. */
  readonly isFresh: (id: string) => boolean;
  /** The ids of rows that show all fields. A row that is removed and rendered again shows them again. */
  readonly opened: Set<string>;
  readonly breachOf: BreachOf;
  /** Shows times with their day instead of ages. */
  readonly isDayShown?: boolean;
}

export const EventRow = memo(({ event, isFresh, opened, breachOf, isDayShown }: EventRowProps) => {
  const [isOpen, setOpen] = useState(opened.has(event.id));
  const element = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isFresh(event.id)) lightUp(element.current);
  }, []);
  const fieldsId = useId();
  const { service, environment, status, actor, happened_at } = event;
  const [shape] = statusLook(status);
  const toggle = () => {
    if (!opened.delete(event.id)) opened.add(event.id);
    setOpen(opened.has(event.id));
  };
  return (
    <li ref={element} class={`event ${shape}`}>
      <div class="event-line">
        <StatusLabel status={status} />
        <span class="event-release row">
          <ReleaseLink event={event} />
          <BreachMark breach={breachAt(event, breachOf)} />
        </span>
        <Cut text={actor ?? ''} className="event-actor small" />
        <Cut text={commitOf(event)} className="event-commit mono soft" />
        <RunLink event={event} />
        {isDayShown ? <DayTime at={happened_at} /> : <Time at={happened_at} />}
        <button
          type="button"
          class="event-toggle soft bare"
          aria-expanded={isOpen}
          aria-controls={isOpen ? fieldsId : undefined}
          aria-label={`All fields: ${service} ${versionOf(event)} in ${environment}, ${statusLabel(status)}`}
          onClick={toggle}
        >
          <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
            <path class="line" d="M5 6.5l3 3 3-3" />
          </svg>
        </button>
      </div>
      {isOpen && <EventFields id={fieldsId} event={event} />}
    </li>
  );
});

function commitOf({ ref, sha }: DeploymentEvent): string {
  // A long branch is cut, not the commit.
  return [sha && shortSha(sha), ref && shortRef(ref)].filter(Boolean).join(' · ');
}

function RunLink({ event }: { readonly event: DeploymentEvent }) {
  const { run_url, run_number, service, environment } = event;
  const href = runLinkOf(run_url);
  const name = run_number ? `Run ${run_number}` : 'Run';
  if (!href) return <Cut text={run_number ? name : ''} className="event-run small" />;
  return (
    <a
      class="event-run fine"
      href={href}
      rel="noreferrer noopener"
      target="_blank"
      aria-label={`${name} of ${service} in ${environment}`}
    >
      <Cut text={name} />
    </a>
  );
}

/** For a list of rows: a click on a row opens the fields of its event, except on links and selected text. */
export function useRowClicks<List extends HTMLElement>() {
  const element = useRef<List>(null);
  useEffect(() => {
    const list = element.current;
    const press = ({ target }: Event) => {
      const pressed = target as Element;
      const isOwn = pressed.closest('a, button') !== null;
      if (isOwn || getSelection()?.isCollapsed === false) return;
      pressed.closest('.event-line')?.querySelector<HTMLElement>('.event-toggle')?.click();
    };
    return list ? listen(list, { click: press }) : undefined;
  }, []);
  return element;
}
