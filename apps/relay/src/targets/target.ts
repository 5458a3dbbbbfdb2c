import type { Status } from '@shiplog/contract';
import type { Message } from '../domain/message.ts';
import type { Sender } from '../sender/sender.ts';

export interface Target {
  readonly name: string;
  readonly type: string;
  /** The statuses that it gets if a rule names none. */
  readonly defaultStatuses: readonly Status[];
  /** The only statuses that it supports; `undefined`: all. */
  readonly only?: readonly Status[];
  /**
   * Resolves when the target has the message. `thread` is the result of an earlier message of the same deployment: the
   * reference of the message to update. @throws NotSent
   */
  send(message: Message, options: SendOptions): Promise<string | undefined>;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly thread?: string | undefined;
}

/** A target in the configuration file, before it is opened. */
export interface TargetEntry {
  readonly name: string;
  readonly type: string;
  open(sender: Sender): Target;
}
