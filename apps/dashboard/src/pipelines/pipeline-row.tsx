import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { ReleaseLink } from '../log/release-link.tsx';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Version } from '../ui/version.tsx';
import type { ServiceStages, Stage } from './service-stages.ts';
import { howFar, markLooks, stagesSentence, strokeOf, toneOf, usually } from './stage-words.ts';

/** One service as a row: its release, the stages and its progress. */
export function PipelineRow({ line, isOpen }: { readonly line: ServiceStages; readonly isOpen: boolean }) {
  const { service, stages, far } = line;
  return (
    <div class="pipeline-row">
      <PipelineName service={service} isOpen={isOpen} />
      <span class="stack">{far.event ? <ReleaseLink event={far.event} /> : <Version text={line.release} />}</span>
      <span class="pipeline-stages">
        <span class="unseen">{stagesSentence(stages)}</span>
        {stages.map((stage, index) => (
          <StageCell key={stage.environment} stage={stage} before={before(stages, index)} />
        ))}
      </span>
      <HowFar line={line} />
    </div>
  );
}

/** The distance to the previous stage of the service in columns; `undefined` for its first stage. */
function before(stages: readonly Stage[], index: number): number | undefined {
  const last = stages.slice(0, index).findLastIndex(({ mark }) => mark !== 'none');
  return last < 0 ? undefined : index - last;
}

/** Links to the opened row, or closes it and shows all services again. */
function PipelineName({ service, isOpen }: { readonly service: string; readonly isOpen: boolean }) {
  const { filter, opened } = useAddress();
  const shown = plain(service);
  const closed = { opened: undefined, ...(opened === undefined && { filter: { ...filter, services: [] } }) };
  return (
    <span>
      <Link
        to={isOpen ? closed : { opened: service }}
        aria-expanded={isOpen}
        class="row plain-link pipeline-toggle strong"
      >
        <bdi class="clamp" title={shown}>
          {shown}
        </bdi>
      </Link>
    </span>
  );
}

function StageCell({
  stage: { environment, mark },
  before,
}: {
  readonly stage: Stage;
  readonly before: number | undefined;
}) {
  const [shape, label] = markLooks[mark];
  const stroke = strokeOf(mark);
  return (
    <span class={`pipeline-stage ${toneOf(mark)} ${mark}`} title={`${plain(environment)}: ${label}`} aria-hidden="true">
      {stroke && before !== undefined && <i class={stroke} style={{ '--steps': before }} />}
      {shape && <Mark shape={shape} />}
    </span>
  );
}

function HowFar({ line }: { readonly line: ServiceStages }) {
  const { absoluteTimes } = useStore(useApp().preferences);
  const { far, section } = line;
  const words = howFar(line);
  return (
    <span class={`fine pipeline-progress ${toneOf(far.mark)}`}>
      {section === 'rest' || (section === 'short' && far.mark === 'ok') ? words : <b>{words}</b>}
      {far.mark === 'ahead' && ', clock ahead'}
      {far.event && far.mark !== 'ahead' && (
        <>
          {', '}
          <Time at={far.event.happened_at} absolute={absoluteTimes} />
        </>
      )}
      {usually(line.usualMinutes)}
    </span>
  );
}
