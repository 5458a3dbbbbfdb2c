import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { ageOf, versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { AttentionHead, OtherItems } from '../attention/attention-head.tsx';
import { AttentionList, MoreButton, NeedLine, placeWidth } from '../attention/attention-list.tsx';
import { itemsIn } from '../attention/attention-strip.tsx';
import { useSortedAttention } from '../attention/use-attention.ts';
import { newestFirst, slotKey } from '../board/board.ts';
import { eventNamed, eventShown, type SlotBox } from '../board/box.ts';
import { cellSentence } from '../board/sentence.ts';
import { TeamMenu } from '../filters/team-menu.tsx';
import { useIsOut } from '../ui/age.tsx';
import { useAddress, useNow, useShown } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { ServiceName } from '../ui/service-name.tsx';
import { MissingProduction } from './missing-production.tsx';
import { PhoneServices } from './phone-services.tsx';
import './phone.css';

/** The board on a phone: what needs attention, what is running, and every service by team. */
export function PhoneHome() {
  return (
    <div class="phone stack gap-8">
      <PhoneAttention />
      <PhoneRunning />
      <MissingProduction />
      <PhoneServices />
    </div>
  );
}

const countFirst = 10;
/** The parts of an item other than its name and its place. */
const besideNamePx = 118;

function PhoneAttention() {
  const { attention: listed } = useAddress();
  const attention = useSortedAttention();
  const { recent, older, hidden } = attention;
  const items = listed === undefined ? recent.slice(0, countFirst) : itemsIn(listed, attention);
  return (
    <section aria-labelledby="attention">
      <AttentionHead attention={attention}>
        <TeamMenu />
      </AttentionHead>
      {recent.length + older.length + hidden.length > 0 && (
        <div class="phone-list card ruled">
          <AttentionList
            key={listed}
            items={items}
            nameWidth={innerWidth - besideNamePx}
            label="What needs attention"
          />
          {(recent.length > countFirst || older.length + hidden.length > 0) && (
            <p class="phone-more soft row">
              <OtherItems attention={attention} more={Math.max(0, recent.length - countFirst)} />
            </p>
          )}
        </div>
      )}
    </section>
  );
}

const countAtOnce = 50;

/** Running deployments, folded to one line that names the newest one. */
function PhoneRunning() {
  const { found } = useShown();
  const nowMs = useNow();
  const isOut = useIsOut();
  const [isOpen, setIsOpen] = useState(false);
  const [count, setCount] = useState(countAtOnce);
  const running = [...found.running].sort((one, other) => newestFirst(eventShown(one.box), eventShown(other.box)));
  const [newest] = running;
  if (!newest) return null;
  return (
    <details
      class="phone-list card ruled"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary class="phone-more soft row run">
        <Mark shape="run" />
        <span class="cut">
          <b>{running.length} running</b>, newest in <bdi>{newest.environment}</bdi>,{' '}
          {isOut ? 'status unknown' : ageOf(Date.parse(eventShown(newest.box).happened_at), nowMs)}
        </span>
      </summary>
      {isOpen && (
        <ul class="attention-list" aria-label="Running">
          {running.slice(0, count).map((found) => (
            <RunningItem key={slotKey(found.service, found.environment)} {...found} nowMs={nowMs} isOut={isOut} />
          ))}
        </ul>
      )}
      {isOpen && <MoreButton left={running.length - count} onMore={() => setCount(count + countAtOnce)} />}
    </details>
  );
}

type RunningItemProps = SlotBox & { readonly nowMs: number; readonly isOut: boolean };

function RunningItem({ service, environment, box, nowMs, isOut }: RunningItemProps) {
  return (
    <li>
      <Link class="need slow" to={{ slot: { service, environment } }}>
        <span class="unseen">{cellSentence(service, environment, box, { nowMs, isOut })}</span>
        <span class="need-mark" aria-hidden="true">
          <Mark shape="run" />
        </span>
        <span class="need-name shrink strong" aria-hidden="true">
          <ServiceName text={service} width={innerWidth - besideNamePx - placeWidth(environment)} />
        </span>
        <NeedLine place={environment} version={versionOf(eventNamed(box))}>
          {isOut ? 'unknown' : `running ${ageOf(Date.parse(eventShown(box).happened_at), nowMs)}`}
        </NeedLine>
      </Link>
    </li>
  );
}
