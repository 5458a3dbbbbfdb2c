import type { ComponentChildren } from 'preact';
import { usualText } from '../board/attention-words.ts';
import type { Column } from '../board/columns.ts';
import type { Progress, ReleaseLine } from '../board/progress.ts';
import { howFar, toneOf } from '../board/progress-words.ts';
import { ReleaseLink } from '../log/release-link.tsx';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { ServiceName } from '../ui/service-name.tsx';
import { Version } from '../ui/version.tsx';
import { Track } from './track.tsx';

export interface RowLook {
  readonly stages: readonly Column[];
  /** A stage with more environments shows counts. */
  readonly most: number;
  /** The available width of a name in pixels. */
  readonly nameWidth: number;
}

interface ProgressRowProps extends RowLook {
  readonly progress: Progress;
  /** The beginning of the name that the header of the group shows. */
  readonly prefix: string;
  readonly isOpen: boolean;
}

/** The newest release of a service, and an older one that is halted or moving. */
export function ProgressRow({ progress, prefix, isOpen, ...look }: ProgressRowProps) {
  const { service, lines } = progress;
  return (
    <>
      {lines.map((line, index) => (
        <ReleaseRow key={line.release} line={line} {...look} isNewest={index === 0}>
          {index === 0 && <Name {...{ service, prefix, isOpen }} width={look.nameWidth} />}
        </ReleaseRow>
      ))}
    </>
  );
}

interface ReleaseRowProps extends RowLook {
  readonly line: ReleaseLine;
  readonly isNewest: boolean;
  /** Follows the words: what came after the release. */
  readonly after?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function ReleaseRow({ line, stages, most, isNewest, after, children }: ReleaseRowProps) {
  const { far, places } = line;
  return (
    <div class={isNewest ? 'progress-row' : 'progress-row older'}>
      <span>{children}</span>
      <span class={isNewest ? 'stack strong' : 'stack'}>
        {far.event ? <ReleaseLink event={far.event} /> : <Version text={line.release} />}
      </span>
      <Track {...{ stages, places, most }} />
      <HowFar line={line}>{after}</HowFar>
    </div>
  );
}

interface NameProps {
  readonly service: string;
  readonly prefix: string;
  readonly isOpen: boolean;
  readonly width: number;
}

/** Opens the row; closes an open one, and shows all services again if the filter names this one. */
function Name({ service, prefix, isOpen, width }: NameProps) {
  const { filter, opened } = useAddress();
  const closed = { opened: undefined, ...(opened === undefined && { filter: { ...filter, services: [] } }) };
  return (
    <Link
      to={isOpen ? closed : { opened: service }}
      aria-expanded={isOpen}
      class="row plain-link progress-toggle strong"
    >
      <ServiceName text={service} prefix={prefix} isPrefixShown={false} width={width} />
    </Link>
  );
}

function HowFar({ line, children }: Pick<ReleaseRowProps, 'line' | 'children'>) {
  const { absoluteTimes } = useStore(useApp().preferences);
  const { stages } = useBoardContext();
  const { far, section } = line;
  const words = howFar(line, stages);
  const isCalm = section === 'rest' || section === 'short';
  return (
    <span class={`fine progress-words ${far.mark === 'passed' ? 'bad' : toneOf([far])}`}>
      {isCalm && far.mark !== 'passed' ? words : <b>{words}</b>}
      {far.mark === 'ahead' && ', clock ahead'}
      {far.event && far.mark !== 'ahead' && (
        <>
          {', '}
          <Time at={far.event.happened_at} absolute={absoluteTimes} />
        </>
      )}
      {line.usualMinutes !== undefined && `, ${usualText(line.usualMinutes)}`}
      {children}
    </span>
  );
}
