import { createClient } from '@shiplog/client';
import { type DeploymentEventIngest, streams } from '@shiplog/contract';
import { anEvent, clientOf, postStored } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { type Board, boardOf, emptyBoard, withRows } from '../../src/board/board.ts';
import type { TabMessage } from '../../src/live/messages.ts';
import { Source, type SourceOptions } from '../../src/live/source.ts';

/** The state that a tab shows, and the messages that it received. */
export class Tab {
  board: Board = emptyBoard;
  readonly ids: string[] = [];
  /** The ids of events that may cause notifications. */
  readonly freshIds: string[] = [];
  readonly links: string[] = [];
  /** When the stream broke, according to the last link. */
  lostAt: number | undefined;
  clearings = 0;
  readonly removed: string[] = [];
  /** The last event of each gap. */
  readonly missed: string[] = [];
  #changed = () => {};

  readonly send = (message: TabMessage): void => {
    if (message.kind === 'board') this.board = boardOf(JSON.parse(message.json));
    else if (message.kind === 'link') {
      this.links.push(message.link);
      this.lostAt = message.lostAt;
    } else if (message.kind === 'cleared') this.clearings += 1;
    else if (message.kind === 'removed') this.removed.push(message.id);
    else if (message.kind === 'missed') this.missed.push(message.upTo);
    else if (message.kind === 'events') {
      this.board = withRows(this.board, message.rows);
      for (const { id } of message.events) {
        this.ids.push(id);
        if (message.head !== undefined && id > message.head) this.freshIds.push(id);
      }
    }
    this.#changed();
  };

  /** Resolves once the condition is true. The wait is limited only by the test's timeout. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  current(service: string, environment: string): string | undefined {
    return this.board.rows.get(service)?.slots[environment]?.current.version;
  }
}

export function watch(
  url: string,
  { times = {}, ...options }: Partial<Pick<SourceOptions, 'client' | 'times' | 'streamUrl'>> = {},
): { readonly tab: Tab; readonly source: Source } {
  const tab = new Tab();
  const over = new AbortController();
  const source = new Source({
    client: createClient({ baseUrl: url }),
    streamUrl: `${url}${streams.deployments.path}`,
    reportsUrl: `${url}${streams.components.path}`,
    send: tab.send,
    signal: over.signal,
    times: { gatherMs: 5, checkMs: 100, pollMs: 100, backoffMaxMs: 1000, ...times },
    ...options,
  });
  const running = source.run();
  onTestFinished(() => {
    over.abort();
    return running;
  });
  return { tab, source };
}

export async function post(url: string, event: Partial<DeploymentEventIngest>): Promise<string> {
  return (await postStored(url, anEvent(event))).id;
}

export async function matrix(url: string): Promise<Board> {
  return boardOf((await clientOf(url).getMatrix()).body);
}

export const isLive = (tab: Tab) => () => tab.links.at(-1) === 'live';
