import type { Status } from '@shiplog/contract';
import type { Message } from '../domain/message.ts';
import type { Sender } from '../sender/sender.ts';

/** Where news go to. */
export interface Target {
  readonly name: string;
  readonly type: string;
  /** The statuses of which it tells where a rule names none. */
  readonly told: readonly Status[];
  /** The statuses of which it can tell at all; `undefined`: all. */
  readonly only?: readonly Status[];
  /**
   * Resolves when the target has the message. `thread` is what an earlier message of the same deployment resolved with: the
   * reference of what is to be brought up to date. @throws NotSent
   */
  send(message: Message, options: SendOptions): Promise<string | undefined>;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly thread?: string | undefined;
}

/** A target of the configuration file, before it is opened. */
export interface TargetEntry {
  readonly name: string;
  readonly type: string;
  open(sender: Sender): Target;
}
