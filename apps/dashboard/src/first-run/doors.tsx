import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp, useBoard } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { reachable } from '../ui/reachable.ts';
import { type Command, connectCommands, demoCommands, demoUrl, isLoopback, postCommands } from './commands.ts';
import type { Reports } from './components.ts';
import './first-run.css';

/** Three ways to see deployments, each with a command that works as pasted and a tick once it has worked. */
export function Doors({ reports }: { readonly reports: Reports }) {
  const { baseUrl, now } = useApp().connection;
  // The command must not change while someone copies it.
  const [happenedAt] = useState(() => new Date(now.value).toISOString());
  const [isOpened, setOpened] = useState(false);
  const hasEvents = (useBoard()?.rows.size ?? 0) > 0;
  const isLocal = isLoopback(baseUrl);
  return (
    <div class="doors">
      <Door
        title="Post an event"
        commands={postCommands(baseUrl, happenedAt)}
        done={hasEvents ? 'The log has events' : undefined}
        waiting={<b>Listening for the first event …</b>}
      >
        From a terminal or a pipeline step.{' '}
        {isLocal ? (
          <>
            If the service was started with an API key, set <code>API_KEY</code> first.
          </>
        ) : (
          <>
            Set <code>API_KEY</code> to the key of the service first.
          </>
        )}
      </Door>
      <Door
        title="Connect GitHub or GitLab"
        commands={connectCommands(baseUrl)}
        done={reports.fetcher && `Fetcher connected${reports.fetcher.state === 'error' ? ', with an error' : ''}`}
        waiting="No fetcher connected yet"
        details={reports.fetcher?.state === 'error' ? reports.fetcher.detail : undefined}
      >
        Reads the deployments of the last 7 days, then polls every 30 s. Run it in a clone of Shiplog. It asks for a
        read-only token, which you have to type in.
      </Door>
      <Door
        title="Look at example data"
        commands={demoCommands(baseUrl)}
        done={isOpened ? 'Opened' : reports.driver && 'The demo driver posts to this log'}
        waiting="Not opened yet"
        details={
          <a href={demoUrl(baseUrl)} target="_blank" rel="noreferrer" onClick={() => setOpened(true)}>
            Open the demo
          </a>
        }
      >
        Run it in a clone of Shiplog on your own machine. It starts a separate log at {demoUrl(baseUrl)} and writes
        nothing to this one. Ctrl-C stops it.
      </Door>
    </div>
  );
}

interface DoorProps {
  readonly title: string;
  readonly commands: readonly Command[];
  /** What has happened; `undefined` = nothing yet. */
  readonly done: string | undefined;
  readonly waiting: ComponentChildren;
  readonly details?: ComponentChildren;
  /** What the command does and needs. */
  readonly children: ComponentChildren;
}

function Door({ title, commands, done, waiting, details, children }: DoorProps) {
  const [name, setName] = useState(commands[0]?.name);
  const text = commands.find((command) => command.name === name)?.text ?? '';
  return (
    <section class={`door card column ${done === undefined ? '' : 'done'}`} aria-label={title}>
      <h2 class="row">
        <Tick isDone={done !== undefined} />
        {title}
      </h2>
      <p class="small">{children}</p>
      <div class="row apart">
        <span class="segments fine">
          {commands.map((command) => (
            <button
              key={command.name}
              type="button"
              aria-pressed={command.name === name}
              onClick={() => setName(command.name)}
            >
              {command.name}
            </button>
          ))}
        </span>
        <CopyButton text={text} what="Copy" />
      </div>
      <pre class="fine" ref={reachable}>
        {text}
      </pre>
      <p class="door-state row apart wrap fine">
        <span role="status">{done === undefined ? waiting : <b>{done}</b>}</span>
        {details}
      </p>
    </section>
  );
}

export function Tick({ isDone }: { readonly isDone: boolean }) {
  return (
    <span class={`tick firm ${isDone ? 'ok' : 'soft'}`}>
      <Mark shape={isDone ? 'ok' : 'ring'} />
      <span class="unseen">{isDone ? 'Done: ' : 'To do: '}</span>
    </span>
  );
}
