import type { Status } from '@shiplog/contract';
import type { Message } from '../domain/message.ts';
import { endStatuses } from '../domain/rule.ts';
import type { Sender } from '../sender/sender.ts';
import type { TargetNode } from './target-node.ts';

export interface Target {
  readonly name: string;
  readonly type: string;
  /** The statuses that the target gets for a rule without statuses. */
  readonly defaultStatuses: readonly Status[];
  /** The only statuses that the target supports; `undefined`: all. */
  readonly only?: readonly Status[];
  /**
   * Resolves when the target has accepted the message. `thread` is the reference of an earlier message about the same
   * deployment, which is updated. @throws NotSent
   */
  send(message: Message, options: SendOptions): Promise<string | undefined>;
}

export interface SendOptions {
  readonly sender: Sender;
  readonly signal: AbortSignal;
  readonly thread?: string | undefined;
}

/** The request that a target with one address gets for a message. */
interface Post {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export const addressMembers = ['url', 'url_env', 'url_file'] as const;

/** A target with one address, which gets each message in a separate request. */
export function addressTarget(
  node: TargetNode,
  postOf: (message: Message, now: Date) => Post,
  more: Partial<Pick<Target, 'defaultStatuses' | 'only'>> = {},
): Target | undefined {
  const url = node.address('url');
  if (url === undefined) return undefined;
  return {
    ...{ ...node.names, defaultStatuses: endStatuses, ...more },
    send: async (message, { sender, signal }) => {
      await sender.post({ url, ...postOf(message, sender.now()), signal });
      return undefined;
    },
  };
}
