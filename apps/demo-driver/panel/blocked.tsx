import { announce } from '@shiplog/panels/ui/controls.tsx';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useTick } from '@shiplog/panels/ui/poll.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { gate, gateLasts } from './driver.ts';

/** Shows that a reset blocks the controls. Has the focus meanwhile, and then returns it to the previous element. */
export function Blocked({ isBlocked }: { readonly isBlocked: boolean }) {
  useTick(1000);
  const notice = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  const wasBlocked = useRef(false);
  // At this moment the focus is still on a control, which loses it when it is disabled.
  if (isBlocked && !wasBlocked.current) {
    if (gate.untilMs < Date.now()) gateLasts();
    const { activeElement } = document;
    focused.current = activeElement?.closest('.gated') ? activeElement : null;
  }
  useLayoutEffect(() => {
    if (isBlocked === wasBlocked.current) return;
    wasBlocked.current = isBlocked;
    const { activeElement } = document;
    if (isBlocked) {
      if (focused.current) notice.current?.focus();
      return;
    }
    gate.untilMs = 0;
    announce('The controls are back.');
    // Don't move the focus if the user has moved it meanwhile.
    const isWaiting = activeElement === document.body || activeElement === notice.current;
    if (isWaiting && focused.current instanceof HTMLElement) focused.current.focus();
  });
  const seconds = Math.max(1, Math.ceil((gate.untilMs - Date.now()) / 1000));
  return (
    <div class="notice filled run" id="blocked" tabIndex={-1} ref={notice} hidden={!isBlocked}>
      <Mark shape="pause" />
      <p>
        A reset is in progress. The controls come back when it ends, in <span id="blocked-seconds">{seconds}</span> s at
        the latest. Feeds stay live.
      </p>
    </div>
  );
}
