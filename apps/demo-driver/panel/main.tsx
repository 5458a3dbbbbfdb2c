import type { DemoStatus, HealthStatus } from '@shiplog/companions';
import { call, type Fields, fieldsOf } from '@shiplog/panels/ui/api.ts';
import { Copyable, Fault, Switch } from '@shiplog/panels/ui/controls.tsx';
import { DeploymentRow, FeedCard, isDeployment, useFeed } from '@shiplog/panels/ui/feed.tsx';
import { Mark, State } from '@shiplog/panels/ui/mark.tsx';
import { Card, Page } from '@shiplog/panels/ui/page.tsx';
import { driverPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { poll, useTick } from '@shiplog/panels/ui/poll.ts';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Blocked } from './blocked.tsx';
import { type Driver, gateLasts, post } from './driver.ts';
import { EmulatorCard } from './emulator-card.tsx';
import { announceFilter, EventRow, FilterNote, heartbeatOf, isEvent } from './event-row.tsx';
import { type FeedUpdate, followTogether } from './feeds.ts';
import { IngestCard } from './ingest-card.tsx';
import { type RateLimits, RateLimitsCard, withReport } from './rate-limits.tsx';
import { noReset, withComponent, withCorrelation, withFrame } from './reset.ts';
import { ResetCard } from './reset-card.tsx';

const calmMs = 5000;
const busyMs = 1000;
/** The page can't work without these programs; the others are optional. */
const needed = ['driver', 'api'];

/** The panel: the driver's controls, its feeds, and the state of the programs that it calls. */
function Panel() {
  const [status, setStatus] = useState<DemoStatus>();
  const [emitting, setEmitting] = useState<boolean>();
  const [emissionProblem, setEmissionProblem] = useState('');
  const [health, setHealth] = useState<{ readonly turn: number; readonly answer: HealthStatus | undefined }>();
  const [link, setLink] = useState<Look>(['run', 'reconnecting']);
  const [limits, setLimits] = useState<RateLimits>(new Map());
  const [chosen, setChosen] = useState('');
  const events = useFeed({ max: 20, key: 'shiplog-driver-events', isRow: isEvent, nameOf: heartbeatOf });
  const deployments = useFeed({ max: 10, key: 'shiplog-driver-deployments', isRow: isDeployment });
  const [reset, setReset] = useState(() =>
    events.rows.reduceRight(
      (view, { item }) => (item.kind === 'components' ? withComponent(view, fieldsOf(item.data)) : view),
      noReset,
    ),
  );
  const refresh = useRef(() => {});
  /** The number of presses of the switch. A status that was requested before a press doesn't reflect the press. */
  const presses = useRef(0);
  const isBlocked = status?.reset_state === 'blocked';
  const driver: Driver = { isBlocked, refresh: () => refresh.current(), post };
  useTick(5000);

  const pollStatus = async () => {
    const pressesBefore = presses.current;
    const [reply, emission] = await Promise.all([call<DemoStatus>(paths.getDemoStatus), call(paths.getEmission)]);
    if (!reply.ok) return calmMs;
    const blocked = reply.value.reset_state === 'blocked';
    if (reply.retryAfter) gateLasts(reply.retryAfter * 1000);
    // A reset ends emission, which may have been switched on just before.
    if (emission.ok && (blocked || presses.current === pressesBefore)) {
      setEmitting(emission.value.emitting === true && !blocked);
    }
    setStatus(reply.value);
    setReset((view) => withCorrelation(view, reply.value.correlation_id));
    return blocked || reply.value.state === 'running' ? busyMs : calmMs;
  };
  const pollHealth = async () => {
    const reply = await call<HealthStatus>(paths.getDemoHealth);
    setHealth((before) => ({ turn: (before?.turn ?? 0) + 1, answer: reply.ok ? reply.value : undefined }));
    return calmMs;
  };
  const takeFrame = (feed: string, name: string, data: Fields) => {
    if (feed === 'deployments') return deployments.add(data);
    if (feed === 'components') setReset((view) => withComponent(view, data));
    if (data.event_type === 'rate-limit') return setLimits((before) => withReport(before, data));
    events.add({ kind: feed === 'posted' ? name : feed, data });
    if (feed === 'components') return;
    if (feed === 'control') setReset((view) => withFrame(view, data));
    if (name === 'reset-initiated') gateLasts();
    // Ids increase with time, so deployments from after the reset stay.
    if (name === 'reset-completed') deployments.drop(({ id }) => String(id ?? '') < String(data.id));
    refresh.current();
  };
  useEffect(() => {
    refresh.current = poll(pollStatus);
    poll(pollHealth);
    followTogether((update: FeedUpdate) => {
      if ('states' in update) setLink(linkLook(update.states));
      else takeFrame(update.feed, update.name, update.data);
    });
  }, []);

  const switchEmission = async (body: { readonly enabled: boolean }) => {
    const answer = await post(paths.switchEmission, setEmissionProblem, body);
    presses.current += 1;
    if (answer) setEmitting(answer.emitting === true);
  };
  const filter = {
    chosen,
    choose: (correlation: string) => {
      setChosen(correlation);
      announceFilter(correlation);
    },
  };
  return (
    <Page
      name="demo driver"
      program="driver"
      command="npm run driver"
      isGone={health !== undefined && health.answer === undefined}
      skip={{ to: '#feeds', text: 'Skip to the feeds' }}
      head={
        <>
          <ul class="chips" id="health" aria-label="Programs">
            {health && <HealthChips health={health.answer} />}
          </ul>
          <State id="live" look={link} />
        </>
      }
    >
      <Blocked isBlocked={isBlocked} />
      <div class="columns">
        <div class="column">
          <IngestCard driver={driver} status={status} />
          <Card
            title="Live emission"
            id="emission"
            class="gated"
            inert={isBlocked}
            side={
              <Switch
                id="emission-switch"
                label="Live emission"
                isOn={emitting}
                disabled={isBlocked}
                turn={switchEmission}
              />
            }
          >
            <p class="small">Creates and posts an event every few seconds, until you turn it off or a reset begins.</p>
            <Fault id="emission-fault" sentence={emissionProblem} />
          </Card>
        </div>
        <div class="column" id="feeds">
          <FeedCard
            id="deployments"
            title="Deployments"
            feed={deployments}
            render={(event) => <DeploymentRow event={event} />}
            empty={
              <>
                <p>No deployments yet. Press Start to post the demo set, or run:</p>
                <Copyable command={`curl -X POST ${new URL(paths.startIngest, location.href)}`} />
              </>
            }
          />
          <FeedCard
            id="events"
            title="Events"
            feed={events}
            note={<FilterNote {...filter} />}
            render={(item) => <EventRow item={item} filter={filter} />}
            empty={
              <>
                <p>No events yet. Turn live emission on, or run:</p>
                <Copyable command={`curl -X POST ${new URL(paths.switchEmission, location.href)}`} />
              </>
            }
          />
        </div>
        <div class="column">
          <EmulatorCard driver={driver} isUp={health?.answer?.emulator === 'up'} turn={health?.turn ?? 0} />
          <ResetCard driver={driver} reset={reset} />
          <RateLimitsCard limits={limits} />
        </div>
      </div>
    </Page>
  );
}

function linkLook(states: Readonly<Record<string, string>>): Look {
  const away = Object.entries(states).filter(([, state]) => state !== 'live');
  const names = away.map(([feed]) => feed).join(', ');
  return names ? ['run', `reconnecting: ${names}`] : ['dot', 'live'];
}

/** `health` is `undefined` while the driver doesn't answer. */
function HealthChips({ health }: { readonly health: HealthStatus | undefined }) {
  return (['driver', 'api', 'emulator', 'fetcher'] as const).map((name) => {
    const state = health ? health[name] : name === 'driver' ? 'down' : 'unknown';
    const failed = state === 'down' && needed.includes(name);
    const shape = state === 'up' ? 'tick' : failed ? 'bad' : state === 'down' ? 'cross' : 'dash';
    return (
      <li key={name} class={`state ${shape}`}>
        <Mark shape={shape} />
        <b>{name}</b> {state}
      </li>
    );
  });
}

render(<Panel />, document.body);
