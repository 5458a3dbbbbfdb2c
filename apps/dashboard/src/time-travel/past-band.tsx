import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { inUtc } from '../board/age.ts';
import { changesOf } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { failureText } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { dayAndTime, omittedDate, spanText } from './time-words.ts';

export function PastBand({ since }: { readonly since: string }) {
  const { past, connection } = useApp();
  const { filter } = useAddress();
  const { requested, shown, fault } = useStore(past);
  const presentMs = useStore(connection.now.present);
  if (requested === undefined) return null;
  const [requestedMs, shownMs] = [Date.parse(requested), shown === undefined ? undefined : Date.parse(shown)];
  const requestedText = dayAndTime(requestedMs, presentMs);
  return (
    <section class="wrap past-band band" aria-label="Past board">
      <Mark shape="clock" />
      <p role="status">
        <strong class="title" title={inUtc(shown ?? requested)}>
          {shownMs === undefined ? requestedText : dayAndTime(shownMs, presentMs)}
        </strong>{' '}
        {shownMs !== undefined && (requested === shown || fault !== undefined) && (
          <span>
            {[omittedDate(shownMs, presentMs), `${spanText(presentMs - shownMs)} ago`].filter(Boolean).join(', ')}.{' '}
            <span class="past-since">{since} Ages are relative to that time.</span>
          </span>
        )}
        {requested !== shown && fault === undefined && <span> Loading the board of {requestedText} …</span>}
      </p>
      {fault !== undefined && (
        <p role="alert">
          Can't load the board of {requestedText}. {failureText(fault)}{' '}
          <button type="button" class="chip" onClick={() => past.again()}>
            Try again
          </button>
        </p>
      )}
      <Link to={changesOf({ range: { from: shown ?? requested, to: undefined }, net: true, filter })}>
        What changed since
      </Link>
      <Menu title="About this board">
        <p>It shows the events that had happened by then. Events reported late change past boards, too.</p>
        <p>It does not update, and it sends no notifications. Filters, columns and histories work as usual.</p>
        <p class="key-hint">
          <kbd>[</kbd> <kbd>]</kbd> previous and next event · <kbd>N</kbd> now
        </p>
      </Menu>
      <Link class="chip" to={{ asof: undefined }}>
        Back to now <kbd>N</kbd>
      </Link>
    </section>
  );
}
