import type { MockStatus } from '@shiplog/companions';
import { plain } from '@shiplog/panels/files/dom.js';
import { call, type Fields, fieldsOf } from '@shiplog/panels/ui/api.ts';
import { Ask, announce, Button, Copyable, Fault, Switch, useQuestion } from '@shiplog/panels/ui/controls.tsx';
import { DeploymentRow, FeedCard, isDeployment, useFeed } from '@shiplog/panels/ui/feed.tsx';
import { type FeedState, follow } from '@shiplog/panels/ui/follow.ts';
import { State } from '@shiplog/panels/ui/mark.tsx';
import { Card, Page } from '@shiplog/panels/ui/page.tsx';
import { mockPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { poll, useTick } from '@shiplog/panels/ui/poll.ts';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import './mock.css';

const statusEveryMs = 5000;
const sources: Readonly<Record<string, string>> = { 'write-api': 'posted', 'sse-emitter': 'emitted' };
const example = {
  deployment_id: 'run-1',
  service: 'payments-api',
  environment: 'dev',
  version: '1.4.2',
  status: 'success',
  happened_at: new Date().toISOString(),
};
const address = new URL(paths.appendDeployment, location.href);
const postCommand = `curl -X POST ${address} -H "X-Api-Key: $API_KEY" -d '${JSON.stringify(example)}'`;

const eventOf = (frame: Fields) => fieldsOf(frame.event);

/** What the mock holds, what arrives, and its controls. */
function Panel() {
  const [status, setStatus] = useState<MockStatus>();
  const [isGone, setGone] = useState(false);
  const [link, setLink] = useState<FeedState>('reconnecting');
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const feed = useFeed({ max: 20, isRow: (frame) => isDeployment(eventOf(frame)) });
  const refresh = useRef(() => {});
  useTick(5000);
  useEffect(() => {
    refresh.current = poll(async () => {
      const reply = await call<MockStatus>(paths.getMockStatus);
      setGone(!reply.ok);
      if (reply.ok) setStatus(reply.value);
      return statusEveryMs;
    });
    const onFrame = (_name: string, frame: Fields) => {
      feed.add(frame);
      refresh.current();
    };
    follow({ url: paths.streamIngest, names: ['ingest'], onFrame, onState: setLink });
  }, []);

  /** `card`: where a failure is shown. */
  const post = async (path: string, card: string, { body, done = '' }: { body?: object; done?: string }) => {
    const reply = await call(path, { method: 'POST', body });
    setFaults((others) => ({ ...others, [card]: reply.ok ? '' : reply.message }));
    if (reply.ok) announce(done);
    refresh.current();
  };
  const resetDemo = useQuestion(() => post(paths.resetMockDemo, 'reset', { done: 'The demo set is fresh.' }));
  const resetAll = useQuestion(() => post(paths.resetMock, 'reset', { done: 'Everything is reset.' }));
  const adapters = status?.fetcher_adapters ?? [];
  return (
    <Page
      name="mock"
      program="mock"
      command="npm run mock"
      isGone={isGone}
      skip={{ to: '#feed', text: 'Skip to arriving events' }}
      head={
        <>
          <State id="live" look={[link === 'live' ? 'dot' : 'run', link]} />
          <a class="small" href="docs">
            API docs
          </a>
        </>
      }
    >
      <div class="columns">
        <div class="column">
          <Card title="Contents">
            <dl class="figures">
              <div>
                <dt>Events</dt>
                <dd id="events-count">{status?.event_count.toLocaleString('en') ?? '–'}</dd>
              </div>
              <div>
                <dt>Fetcher adapters</dt>
                <dd id="adapters-count">{status ? adapters.length : '–'}</dd>
              </div>
            </dl>
            <p class="small" id="adapters" hidden={adapters.length === 0}>
              {plain(adapters.join(', '))}
            </p>
            <p class="small">Everything is in memory and lost when the mock stops.</p>
          </Card>
          <Card
            title="Emission"
            side={
              <Switch
                id="emission-switch"
                label="Emission"
                isOn={status?.emitting}
                turn={(body) => post(paths.switchMockEmission, 'emission', { body })}
              />
            }
          >
            <p class="small">Creates an event from the demo templates every 8 seconds, in turn.</p>
            <Fault id="emission-fault" sentence={faults.emission ?? ''} />
          </Card>
        </div>
        <div class="column" id="feed">
          <FeedCard
            id="ingest"
            title="Arriving events"
            feed={feed}
            render={(frame) => (
              <DeploymentRow event={eventOf(frame)} source={sources[String(frame.source)] ?? plain(frame.source)} />
            )}
            empty={
              <>
                <p>No event has arrived since this page was opened. Turn emission on, or post an event:</p>
                <Copyable command={postCommand} />
                <p class="small">Export the mock’s key as API_KEY first; the README has the default key.</p>
              </>
            }
          />
        </div>
        <div class="column">
          <Card
            title="Demo data"
            side={
              <Switch
                id="demo-switch"
                label="Demo data"
                isOn={status?.demo_enabled}
                turn={(body) => post(paths.switchMockDemo, 'demo', { body })}
              />
            }
          >
            <p class="small">The demo set is part of every read while this is on.</p>
            <Fault id="demo-fault" sentence={faults.demo ?? ''} />
          </Card>
          <Card title="Reset">
            <p class="small">Back to the fresh demo set. “All” also forgets adapters and stops emission.</p>
            <div class="actions">
              <Button
                id="reset-demo"
                aria-expanded={resetDemo.isOpen}
                buttonRef={resetDemo.button}
                onPress={() => resetDemo.show(!resetDemo.isOpen)}
              >
                Reset demo…
              </Button>
              <Button
                id="reset-all"
                class="danger"
                aria-expanded={resetAll.isOpen}
                buttonRef={resetAll.button}
                onPress={() => resetAll.show(!resetAll.isOpen)}
              >
                Reset all…
              </Button>
            </div>
            <Ask
              id="reset-demo-question"
              question={resetDemo}
              text="This deletes posted and emitted events."
              yes="Delete them"
              no="Keep them"
            />
            <Ask
              id="reset-all-question"
              question={resetAll}
              text="This deletes posted and emitted events, and every adapter’s cursor."
              yes="Delete everything"
              no="Keep everything"
            />
            <Fault id="reset-fault" sentence={faults.reset ?? ''} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

render(<Panel />, document.body);
