import type { DemoStatus, ScenarioOutlook } from '@shiplog/companions';
import { call } from '@shiplog/panels/ui/api.ts';
import { announce, Button, Fault } from '@shiplog/panels/ui/controls.tsx';
import { State } from '@shiplog/panels/ui/mark.tsx';
import { Card } from '@shiplog/panels/ui/page.tsx';
import { driverPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { Cut, plain } from '@shiplog/panels/ui/text.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Driver } from './driver.ts';

const looks: Readonly<Record<DemoStatus['state'], Look>> = {
  idle: ['ring', 'idle'],
  running: ['run', 'running'],
  done: ['ok', 'done'],
  failed: ['bad', 'stopped early'],
  blocked: ['pause', 'blocked'],
};
const builtIn = 'demo-set';
/** The prefix of scenarios among the choices; datasets don't have it. */
const scenarioPrefix = 'scenario/';

interface IngestCardProps {
  readonly driver: Driver;
  readonly status: DemoStatus | undefined;
}

/** The choice of what to post, the buttons to start and stop, and the progress. */
export function IngestCard({ driver, status }: IngestCardProps) {
  const scenarios = useScenarios();
  const [choice, setChoice] = useState('demo');
  const outlook = useOutlook(choice);
  const [problem, setProblem] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const count = useRef<HTMLInputElement>(null);
  const delay = useRef<HTMLInputElement>(null);
  const disabled = driver.isBlocked;
  const isRandom = choice === 'random';
  const isRunning = status?.state === 'running';
  useAnnouncedEnd(status);

  const send = async (path: string, body: object = {}) => {
    await driver.post(path, setProblem, body);
    driver.refresh();
  };
  const start = () => {
    if (!form.current?.reportValidity()) return;
    const pause = delay.current?.value ? { delay_ms: delay.current.valueAsNumber } : {};
    if (choice.startsWith(scenarioPrefix)) return send(scenarioPath(paths.runScenario, choice), pause);
    return send(paths.startIngest, {
      dataset: choice,
      ...(isRandom && { count: count.current?.valueAsNumber }),
      ...pause,
    });
  };
  return (
    <Card
      title="Ingest"
      id="ingest"
      class="gated"
      inert={disabled}
      side={status ? <State id="ingest-state" look={looks[status.state] ?? looks.idle} /> : null}
    >
      <form
        class="fields"
        id="ingest-form"
        ref={form}
        // The button's click handler does the work, also when Enter is pressed in a field.
        onSubmit={(event) => event.preventDefault()}
      >
        <label class="wide">
          What to post
          <select
            id="ingest-source"
            value={choice}
            disabled={disabled}
            onChange={({ currentTarget }) => setChoice(currentTarget.value)}
          >
            <optgroup label="Datasets">
              <option value="demo">Demo set</option>
              <option value="random">Random services</option>
            </optgroup>
            {scenarios.length > 0 && (
              <optgroup label="Scenarios" id="ingest-scenarios">
                {scenarios.map((name) => (
                  <option key={name} value={scenarioPrefix + name}>
                    {name}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </label>
        <label id="ingest-count-field" hidden={!isRandom}>
          Services, 1 to 10
          <input
            type="number"
            id="ingest-count"
            min={1}
            max={10}
            defaultValue="3"
            required
            ref={count}
            disabled={disabled || !isRandom}
          />
        </label>
        <label>
          Pause in ms, per event
          <input type="number" id="ingest-delay" min={0} placeholder="default" ref={delay} disabled={disabled} />
        </label>
      </form>
      <p class="hint filled run" id="ingest-outlook" hidden={!outlook}>
        {plain(outlook)}
      </p>
      <div class="actions">
        <Button
          id="ingest-start"
          class="primary"
          form="ingest-form"
          disabled={disabled}
          isAllowed={!isRunning}
          onPress={start}
        >
          Start
        </Button>
        <Button id="ingest-stop" disabled={disabled} isAllowed={isRunning} onPress={() => send(paths.stopIngest)}>
          Stop
        </Button>
        <Button id="ingest-back" disabled={disabled} onPress={() => send(paths.resetDemo)}>
          Reset counters
        </Button>
      </div>
      <div>
        <progress
          id="ingest-bar"
          class={isRunning ? 'running' : ''}
          aria-label="Progress"
          max={Math.max(1, status?.events_total ?? 1)}
          value={status ? status.events_sent + status.errors : 0}
        />
        <p class="small" id="ingest-counts">
          {status && (
            <>
              {`${sentText(status)} · `}
              <span class={status.errors ? 'alarm' : ''}>{errorText(status)}</span>
              {' · '}
              <Cut text={status.scenario} />
            </>
          )}
        </p>
      </div>
      <Fault id="ingest-fault" sentence={problem} />
    </Card>
  );
}

/** The names of the scenarios, except the built-in one, which is a dataset. */
function useScenarios(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    void call<{ items: readonly string[] }>(paths.listScenarios).then((reply) => {
      if (reply.ok && Array.isArray(reply.value.items)) setNames(reply.value.items.filter((name) => name !== builtIn));
    });
  }, []);
  return names;
}

/** A sentence with the number of events in the chosen scenario that the target will refuse; empty if there are none. */
function useOutlook(choice: string): string {
  const [sentence, setSentence] = useState('');
  useEffect(() => {
    let isCurrent = true;
    setSentence('');
    if (choice.startsWith(scenarioPrefix)) {
      void call<ScenarioOutlook>(scenarioPath(paths.getScenario, choice)).then((reply) => {
        if (!isCurrent || !reply.ok || !reply.value.events_refused) return;
        const { events_refused, events_total, statuses_refused } = reply.value;
        const statuses = statuses_refused.join(', ');
        setSentence(
          `The target will refuse ${events_refused} of ${events_total} events, those with status ${statuses}.`,
        );
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [choice]);
  return sentence;
}

/** Announces the end of a run, also of one that began and ended between two requests of the status. */
function useAnnouncedEnd(status: DemoStatus | undefined): void {
  const before = useRef(status);
  useEffect(() => {
    if (status?.finished_at && before.current && status.finished_at !== before.current.finished_at) {
      announce(`Ingest ${looks[status.state]?.[1]}: ${sentText(status)}, ${errorText(status)}`);
    }
    before.current = status;
  }, [status]);
}

function sentText({ events_sent, events_total }: DemoStatus): string {
  return `${events_sent} of ${events_total} sent`;
}

function errorText({ errors }: DemoStatus): string {
  return `${errors} ${errors === 1 ? 'error' : 'errors'}`;
}

function scenarioPath(path: string, choice: string): string {
  return path.replace('{name}', encodeURIComponent(choice.slice(scenarioPrefix.length)));
}
