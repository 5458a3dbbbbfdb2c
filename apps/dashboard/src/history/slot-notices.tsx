import type { Outage, OutageLink, OutageRequest } from '@shiplog/contract';
import { ageOf, literalGlob, plain, versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import type { Slot } from '../board/board.ts';
import { boxIn, eventNamed, eventsOf, runningIn } from '../board/box.ts';
import { dayTime } from '../board/day-time.ts';
import { outageTitle } from '../board/open-outages.ts';
import { useAct, useMayAct } from '../holds/act.ts';
import { blameLine } from '../holds/command-line.ts';
import { CommandInstead } from '../holds/form-foot.tsx';
import type { HoldDraft } from '../holds/hold-form.tsx';
import { HoldsDialog } from '../holds/holds-dialog.tsx';
import { OuterLink } from '../log/outer-link.tsx';
import { useStore } from '../state/store.ts';
import { Alert } from '../ui/alert.tsx';
import { useApp, useBoard, useBoardContext, useNow } from '../ui/app.ts';
import { NoticeIcon } from '../ui/notice-icon.tsx';
import { Version } from '../ui/version.tsx';

interface SlotNoticesProps {
  readonly slot: Slot;
}

/** The open outage of a slot with its suspects, and what holds the slot back. */
export function SlotNotices({ slot: { service, environment } }: SlotNoticesProps) {
  const { futureRows } = useApp();
  const board = useBoard();
  const ahead = useStore(futureRows);
  const { notices, stages } = useBoardContext();
  const row = board?.rows.get(service);
  const box = row && boxIn(row, environment, ahead);
  const running = box && runningIn(box);
  const failed = box?.tone === 'bad' ? eventNamed(box) : undefined;
  const suspect = failed?.version || failed?.sha ? failed : running;
  const outage = notices.outageIn(service, environment, stages.production.has(environment));
  const held = notices.ofSlot(service, environment, running) ?? notices.ofColumn(environment);
  const place = { services: literalGlob(service), environments: literalGlob(environment) };
  const [draft, setDraft] = useState<HoldDraft>();
  return (
    <>
      {outage && (
        <SlotOutage
          key={outage.outage_id}
          slot={{ service, environment }}
          outage={outage}
          events={box ? eventsOf(box) : []}
        />
      )}
      {held && (
        <p class="small breaks">
          <NoticeIcon mark={held} /> {held.text}
        </p>
      )}
      <div class="bar drawer-bar">
        <button type="button" class="chip" onClick={() => setDraft({ ...place, kind: 'lock' })}>
          Lock …
        </button>
        {suspect && (
          <button
            type="button"
            class="chip"
            onClick={() =>
              setDraft({ ...place, kind: 'bad', environments: '*', version: suspect.version || suspect.sha || '' })
            }
          >
            Mark <Version text={versionOf(suspect)} /> as bad …
          </button>
        )}
      </div>
      {draft && <HoldsDialog draft={draft} onClose={() => setDraft(undefined)} />}
    </>
  );
}

interface SlotOutageProps extends SlotNoticesProps {
  readonly outage: Outage;
  readonly events: ReturnType<typeof eventsOf>;
}

function SlotOutage({ outage, events, slot }: SlotOutageProps) {
  const { client, now } = useApp().connection;
  const nowMs = useNow();
  const mayAct = useMayAct();
  const { isBusy, failure, act } = useAct();
  const [asked, setAsked] = useState<{ readonly link: OutageLink | undefined }>();
  const { source, outage_id, opened_at, links, not_by_deployment, caused_by, url } = outage;
  const isHere = ({ service, environment }: OutageLink) => service === slot.service && environment === slot.environment;
  const ownFirst = links.toSorted((one, other) => Number(isHere(other)) - Number(isHere(one)));
  const nameOf = (link: OutageLink) => {
    const event = events.find(({ id }) => id === link.event_id);
    const name = event ? `${link.service} ${versionOf(event)}` : `${link.service} ${link.deployment_id}`;
    return isHere(link) ? name : `${name} in ${link.environment}`;
  };
  const say = (cause: Pick<OutageRequest, 'caused_by' | 'not_by_deployment'>) => {
    const happened_at = new Date(now.present.value).toISOString();
    void act(() => client.appendOutage({ body: { source, outage_id, state: 'opened', happened_at, ...cause } }));
  };
  const name = (link: OutageLink | undefined) => {
    if (!mayAct) return setAsked({ link });
    say(link ? { caused_by: { deployment_id: link.deployment_id } } : { not_by_deployment: true });
  };
  const isSaid = caused_by !== null || not_by_deployment;
  return (
    <section class="tile bad slot-outage stack" aria-label="Outage">
      <p class="breaks">
        <NoticeIcon mark={{ kind: 'outage', text: '' }} />{' '}
        <strong>{plain(`Outage since ${dayTime(Date.parse(opened_at), nowMs)}: ${outageTitle(outage)}`)}</strong>{' '}
        <span class="soft">{plain(`${source} ${outage_id}`)}</span>{' '}
        {url !== null && (
          <OuterLink url={url} label="The page about the outage">
            More
          </OuterLink>
        )}
      </p>
      <p class="small breaks">{causeSentence({ ...outage, links: ownFirst }, nameOf)}</p>
      <p class="row wrap">
        {!isSaid &&
          ownFirst.map((link) => (
            <button key={link.event_id} type="button" class="chip" disabled={isBusy} onClick={() => name(link)}>
              {plain(`Confirm ${nameOf(link)}`)}
            </button>
          ))}
        {!isSaid && (
          <button type="button" class="chip" disabled={isBusy} onClick={() => name(undefined)}>
            No deployment caused it
          </button>
        )}
        {isSaid && mayAct && (
          <button type="button" class="chip" disabled={isBusy} onClick={() => say({ not_by_deployment: false })}>
            Undo
          </button>
        )}
      </p>
      <Alert text={failure} />
      {asked && <CommandInstead command={blameLine(outage, asked.link)} />}
    </section>
  );
}

const reasonSentences = {
  'not-by-deployment': 'No deployment caused it.',
  'unknown-deployment': "The log doesn't have the deployment that was named.",
  'no-deployment-in-time': 'No deployment here shortly before.',
  'no-service': 'It names no service.',
  dismissed: 'It was a false alarm.',
} as const;

/** "Suspected: checkout 2.0.0, 18 min before; orders d-7 in prod, 2 h before." */
function causeSentence({ links, reason, opened_at }: Outage, nameOf: (link: OutageLink) => string): string {
  const [first] = links;
  if (!first) return reason === null ? '' : reasonSentences[reason];
  const before = ({ at }: OutageLink) => {
    const age = ageOf(Date.parse(at), Date.parse(opened_at));
    return `${age === 'now' ? 'just' : age} before`;
  };
  const names = plain(links.map((link) => `${nameOf(link)}, ${before(link)}`).join('; '));
  return first.rule === 'named' ? `Caused by ${names}.` : `Suspected: ${names}.`;
}
