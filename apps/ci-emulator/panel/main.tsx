import type { CiStatus } from '@shiplog/companions';
import { call, type Fields } from '@shiplog/panels/ui/api.ts';
import { Ask, AskButton, Button, Fault, Switch, useQuestion } from '@shiplog/panels/ui/controls.tsx';
import { Card, Page } from '@shiplog/panels/ui/page.tsx';
import { emulatorPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { useTick } from '@shiplog/panels/ui/poll.ts';
import { useProgram } from '@shiplog/panels/ui/program.ts';
import { plain } from '@shiplog/panels/ui/text.tsx';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { newestOf, RequestRow, Row } from './rows.tsx';
import './emulator.css';

const everyMs = 2000;
const presets = ['outage', 'slow', 'exhausted', 'secondary', 'flaky'];
const figures = [
  ['repos', 'Repositories'],
  ['deployments', 'Deployments'],
  ['statuses', 'Statuses'],
  ['workflows', 'Workflows'],
  ['environments', 'Environments'],
] as const;
const clockSteps = [
  ['+1 min', 60_000],
  ['+1 h', 3_600_000],
  ['+1 day', 86_400_000],
] as const;

/** The latest response of each call. */
interface Answers {
  readonly status?: CiStatus;
  readonly pace?: Fields;
  readonly clock?: Fields;
  readonly requests?: Fields;
  readonly targets?: Fields;
  readonly deliveries?: Fields;
}

const polled: Readonly<Record<keyof Answers, string>> = {
  status: paths.getCiStatus,
  pace: paths.getCiEmission,
  clock: paths.getCiClock,
  requests: paths.listCiRequests,
  targets: paths.listCiWebhooks,
  deliveries: paths.listCiDeliveries,
};

/** The panel: the emulator's contents, the requests to it, and its controls. */
function Panel() {
  const [answers, setAnswers] = useState<Answers>({});
  const { isGone, faults, post } = useProgram(everyMs, async () => {
    const replies = await Promise.all(
      Object.entries(polled).map(async ([name, path]) => [name, await call(path)] as const),
    );
    const arrived = replies.flatMap(([name, reply]) => (reply.ok ? [[name, reply.value] as const] : []));
    setAnswers((before) => ({ ...before, ...Object.fromEntries(arrived) }));
    return arrived.some(([name]) => name === 'status');
  });
  useTick(5000);
  const seed = (dataset: string) =>
    post(paths.seedCi, 'seed', { body: { dataset }, done: `The dataset ${dataset} is loaded.` });
  const emit = (outcome: string) =>
    post(paths.emitCi, 'emission', { body: { once: 1, outcome }, done: 'A deployment has started.' });
  const clear = useQuestion(() => post(paths.clearCi, 'seed', { done: 'Everything is deleted.' }));
  const { status, pace, clock } = answers;
  const requests = newestOf(answers.requests);
  const targets = newestOf(answers.targets);
  const deliveries = newestOf(answers.deliveries);
  return (
    <Page
      name="CI emulator"
      program="emulator"
      command="npm run ci-emulator"
      isGone={isGone}
      skip={{ to: '#requests-column', text: 'Skip to the requests' }}
      head={
        <>
          <span class="small" id="now">
            {status && `${status.now.slice(0, 19).replace('T', ' ')} UTC`}
          </span>
          <a class="small" href="../docs">
            API docs
          </a>
        </>
      }
    >
      <div class="columns">
        <div class="column">
          <Card
            title="Contents"
            side={
              <span class="small" id="dataset">
                {status && plain(status.dataset || 'empty')}
              </span>
            }
          >
            <dl class="figures" id="figures">
              {status &&
                figures.map(([name, label]) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd>{Number(status[name]).toLocaleString('en')}</dd>
                  </div>
                ))}
            </dl>
            <div class="actions">
              <Button id="seed-demo" onPress={() => seed('demo')}>
                Seed demo
              </Button>
              <Button id="seed-random" onPress={() => seed('random')}>
                Seed random
              </Button>
              <AskButton id="clear" class="danger" question={clear}>
                Clear…
              </AskButton>
            </div>
            <Ask
              id="clear-question"
              question={clear}
              text="This deletes every repository, request and delivery."
              yes="Delete them"
              no="Keep them"
            />
            <Fault id="seed-fault" sentence={faults.seed ?? ''} />
          </Card>
          <Card
            title="Emission"
            side={
              <Switch
                id="emission-switch"
                label="Emission"
                isOn={status?.emitting}
                turn={(body) => post(paths.emitCi, 'emission', { body })}
              />
            }
          >
            <p class="small" id="emission-pace">
              {pace &&
                `One deployment every ${Number(pace.interval_ms) / 1000} s while this is on; ${pace.emitted} so far.`}
            </p>
            <div class="actions">
              <Button id="emit-success" onPress={() => emit('success')}>
                Emit a success
              </Button>
              <Button id="emit-failure" onPress={() => emit('failure')}>
                Emit a failure
              </Button>
            </div>
            <Fault id="emission-fault" sentence={faults.emission ?? ''} />
          </Card>
        </div>
        <div class="column" id="requests-column">
          <Card
            title="Requests"
            class="feed"
            side={
              <span class="small" id="request-counts">
                {status && requestCounts(status)}
              </span>
            }
          >
            <ul class="rows" id="requests">
              {requests.map((request, index) => (
                <RequestRow key={index} {...request} />
              ))}
            </ul>
            <p class="empty" id="requests-empty" hidden={requests.length > 0}>
              No requests yet. Set GITHUB_BASE_URL and GITLAB_BASE_URL of the fetcher to{' '}
              <code id="address">{location.origin}</code>.
            </p>
          </Card>
          <Card title="Deliveries" class="feed">
            <ul class="rows" id="targets">
              {targets.map(({ tool, url, mode, resting_until }, index) => (
                <li key={index} class="row filled request">
                  <b>{plain(tool)}</b>
                  <code>{plain(url)}</code>
                  <span>{resting_until ? 'paused' : plain(mode)}</span>
                </li>
              ))}
            </ul>
            <ul class="rows" id="deliveries">
              {deliveries.map(({ at, event, status: code, duration_ms, attempt }, index) => (
                <Row key={index} status={code} text={plain(event)} at={at}>
                  {`${duration_ms} ms${Number(attempt) > 1 ? `, attempt ${attempt}` : ''}`}
                </Row>
              ))}
            </ul>
            <p class="empty" id="deliveries-empty" hidden={deliveries.length > 0}>
              No webhook has been sent. POST /_ci/webhooks adds a target.
            </p>
          </Card>
        </div>
        <div class="column">
          <Card title="Rate limit">
            <p class="small" id="rate-text">
              {status?.rate_limit ? rateText(status.rate_limit) : 'No requests yet.'}
            </p>
            {status?.rate_limit && (
              <meter
                id="rate"
                aria-label="Rate limit used"
                min={0}
                max={status.rate_limit.limit}
                high={status.rate_limit.limit * 0.8}
                optimum={0}
                value={status.rate_limit.used}
              />
            )}
          </Card>
          <Card
            title="Faults"
            side={
              <Button
                class="quiet"
                id="faults-clear"
                onPress={() =>
                  post(paths.deleteCiFaults, 'faults', { method: 'DELETE', done: 'All faults are removed.' })
                }
              >
                Remove all
              </Button>
            }
          >
            <div class="actions" id="presets">
              {presets.map((preset) => (
                <Button
                  key={preset}
                  onPress={() =>
                    post(paths.addCiFault, 'faults', { body: { preset }, done: `The fault ${preset} is active.` })
                  }
                >
                  {preset}
                </Button>
              ))}
            </div>
            <p class="small" id="faults-active">
              {status && (status.faults === 0 ? 'No fault is active.' : `Active rules: ${status.faults}.`)}
            </p>
            <Fault id="faults-fault" sentence={faults.faults ?? ''} />
          </Card>
          <Card title="Clock" id="clock" hidden={clock?.clock !== 'virtual'}>
            <div class="actions">
              {clockSteps.map(([label, ms]) => (
                <Button key={label} onPress={() => post(paths.moveCiClock, 'clock', { body: { advance_ms: ms } })}>
                  {label}
                </Button>
              ))}
            </div>
            <Fault id="clock-fault" sentence={faults.clock ?? ''} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

function requestCounts({ requests }: CiStatus): string {
  const { total, charged, not_modified, refused } = requests;
  return `${total} in all, ${charged} charged, ${not_modified} not modified, ${refused} refused`;
}

function rateText({ used, limit, reset }: NonNullable<CiStatus['rate_limit']>): string {
  const resetsAt = new Date(reset * 1000).toISOString().slice(11, 19);
  return `${used} of ${limit} used by the last token; resets at ${resetsAt} UTC.`;
}

render(<Panel />, document.body);
