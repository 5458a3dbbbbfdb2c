import type { MockStatus } from '@shiplog/companions';
import { call, type Fields, fieldsOf } from '@shiplog/panels/ui/api.ts';
import { Ask, AskButton, Copyable, Fault, Switch, useQuestion } from '@shiplog/panels/ui/controls.tsx';
import { DeploymentRow, FeedCard, isDeployment, useFeed } from '@shiplog/panels/ui/feed.tsx';
import { type FeedState, follow } from '@shiplog/panels/ui/follow.ts';
import { State } from '@shiplog/panels/ui/mark.tsx';
import { Card, Page } from '@shiplog/panels/ui/page.tsx';
import { mockPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { useTick } from '@shiplog/panels/ui/poll.ts';
import { useProgram } from '@shiplog/panels/ui/program.ts';
import { plain } from '@shiplog/panels/ui/text.tsx';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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

/** The panel: the contents of the mock, new events, and controls. */
function Panel() {
  const [status, setStatus] = useState<MockStatus>();
  const [link, setLink] = useState<FeedState>('reconnecting');
  const feed = useFeed({ max: 20, isRow: (frame) => isDeployment(eventOf(frame)) });
  const { isGone, faults, refresh, post } = useProgram(statusEveryMs, async () => {
    const reply = await call<MockStatus>(paths.getMockStatus);
    if (reply.ok) setStatus(reply.value);
    return reply.ok;
  });
  useTick(5000);
  useEffect(() => {
    const onFrame = (_name: string, frame: Fields) => {
      feed.add(frame);
      refresh();
    };
    follow({ url: paths.streamIngest, names: ['ingest'], onFrame, onState: setLink });
  }, []);

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
              <AskButton id="reset-demo" question={resetDemo}>
                Reset demo…
              </AskButton>
              <AskButton id="reset-all" class="danger" question={resetAll}>
                Reset all…
              </AskButton>
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
