import { fieldText } from '@shiplog/panels/ui/api.ts';
import { Ask, AskButton, announce, Fault, useQuestion } from '@shiplog/panels/ui/controls.tsx';
import { Mark, State } from '@shiplog/panels/ui/mark.tsx';
import { Card } from '@shiplog/panels/ui/page.tsx';
import { driverPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { Age, plain } from '@shiplog/panels/ui/text.tsx';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Driver } from './driver.ts';
import { awaited, pausedIn, type ResetPhase, type ResetView, unpausedIn } from './reset.ts';

const looks: Readonly<Record<ResetPhase, Look>> = {
  draining: ['run', 'Components are pausing.'],
  clearing: ['run', 'The history is being cleared.'],
  done: ['ok', 'The history was cleared.'],
  aborted: ['bad', 'Nothing was cleared. Check the service’s log, then try again.'],
};
const refusals: Readonly<Record<string, string>> = {
  0: 'Can’t reach the service. Check that it is running and that WRITE_API_URL names it, then try again.',
  401: 'The service refused the control key. Check CONTROL_API_KEY of both, then try again.',
  404: 'The target can’t be reset over the API (the mock can’t). Use the mock’s own panel instead.',
  409: 'Another reset is in progress. Wait until it ends.',
};

/** Starts a reset and shows its progress. */
export function ResetCard({ driver, reset }: { readonly driver: Driver; readonly reset: ResetView }) {
  const [problem, setProblem] = useState('');
  const disabled = driver.isBlocked;
  const question = useQuestion(async () => {
    const answer = await driver.post(paths.resetApi, setProblem);
    const status = fieldText(answer ?? {}, 'http_status');
    if (answer?.ok === false) {
      setProblem(refusals[status] ?? `The service answered ${status}. Check its log, then try again.`);
    }
    driver.refresh();
  });
  const { id, phase } = reset;
  useEffect(() => {
    if (disabled) question.hide();
  }, [disabled]);
  useEffect(() => {
    if (!phase) return;
    setProblem('');
    announce(`Reset ${phase}. ${looks[phase][1]}`);
  }, [id, phase]);
  return (
    <Card title="Reset" id="reset" side={phase ? <State id="reset-state" look={[looks[phase][0], phase]} /> : null}>
      <p class="small">Clears every event in the service, once all components have paused.</p>
      <div class="actions gated">
        <AskButton id="reset-button" class="danger" disabled={disabled} question={question}>
          Reset the service…
        </AskButton>
      </div>
      <Ask
        id="reset-question"
        question={question}
        text="This clears the whole history. It can’t be undone."
        yes="Clear everything"
        no="Keep it"
      />
      <Steps reset={reset} />
      <p class="small" id="reset-awaited" hidden={unpausedIn(reset).length === 0}>
        Awaited by default; the service’s <code>RESET_EXPECTED_COMPONENTS</code> may differ.
      </p>
      <Fault id="reset-fault" sentence={problem} />
    </Card>
  );
}

function Steps({ reset }: { readonly reset: ResetView }) {
  const { id, phase, begun, at } = reset;
  if (!phase) return null;
  const [shape, sentence] = looks[phase];
  return (
    <ul class="steps small" id="reset-steps">
      {pausedIn(reset).map((name) => (
        <Step key={name} shape="tick">
          {`${plain(name)} has paused`}
        </Step>
      ))}
      {unpausedIn(reset).map((name) => (
        <Waiting key={name} name={name} at={reset.components.get(name)?.at} />
      ))}
      <Step shape={shape}>
        {sentence} <Age at={at} />
      </Step>
      {phase === 'draining' && begun !== id && (
        <Step shape="dash">Components that paused before this page was opened are unknown.</Step>
      )}
    </ul>
  );
}

function Waiting({ name, at }: { readonly name: string; readonly at: string | undefined }) {
  return (
    <Step shape="clock">
      {awaited.includes(name) ? `Waiting for ${plain(name)}` : `${plain(name)} has not paused`}
      {' · '}
      {at === undefined ? (
        'no report seen'
      ) : (
        <>
          last report <Age at={at} />
        </>
      )}
    </Step>
  );
}

function Step({ shape, children }: { readonly shape: Shape; readonly children: ComponentChildren }) {
  return (
    <li>
      <Mark shape={shape} />
      <span>{children}</span>
    </li>
  );
}
