import { hash } from 'node:crypto';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Answer } from '@shiplog/testing/http';
import { answerFault } from './checks/answers.ts';
import type { Violation } from './checks/violation.ts';

/** One post and its response. All times are milliseconds of one monotonic clock. */
export interface Post {
  /** Its unique deployment id. */
  readonly key: string;
  /** The instance that received the post, if there are several. */
  readonly instance?: string;
  readonly sentAt: number;
  /** The number of completed resets when the post was sent. */
  readonly completedBefore: number;
  readonly answeredAt: number;
  /** `undefined` if the connection was cut before a response. */
  readonly status: number | undefined;
  /** The id of the event, if the status is 201. */
  readonly id: string | undefined;
  /** The slug of the problem if the response was a problem. */
  readonly problem: string | undefined;
}

/** An event as first seen in any response or stream. */
export interface SeenEvent {
  readonly id: string;
  /** The deployment id of the event. */
  readonly key: string;
  readonly service: string;
  /** A digest of the JSON text. The text must be the same everywhere. */
  readonly digest: string;
}

/** Everything that one reader of the deployment stream received over all its connections. */
export interface Reading {
  readonly reader: string;
  /** The service that the reader filters by. */
  readonly service: string | undefined;
  /** The start position; `undefined` = live. */
  readonly after: string | undefined;
  readonly ids: string[];
  /** The instance that the reader always uses. Arrival times are recorded only for readers with such an instance. */
  readonly home: string | undefined;
  readonly arrivedAt: number[];
}

/** A reader's connection and the response to it. */
export interface Resumption {
  readonly reader: string;
  readonly instance: string;
  readonly after: string | undefined;
  /** The value of `X-Stream-Resume`. */
  readonly resume: string | undefined;
  /** The number of completed resets when the reader connected. */
  readonly completedBefore: number;
}

/** One response of `/readyz`. */
export interface Probe {
  readonly instance: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number;
}

/** A period in which a condition was true for an instance. */
export interface Span {
  readonly instance: string;
  readonly from: number;
  readonly until: number;
}

/** A frame of the control stream. */
export interface ControlFrame {
  readonly id: string;
  readonly type: string;
  readonly correlationId: string;
}

/** The history of a run: everything sent and received, for the final checks. */
export class History {
  readonly posts: Post[] = [];
  readonly events = new Map<string, SeenEvent>();
  readonly readings: Reading[] = [];
  readonly resumptions: Resumption[] = [];
  readonly probes: Probe[] = [];
  /** The periods in which an instance could not reach its database at all. */
  readonly severed: Span[] = [];
  /** The periods in which a fault may have delayed an instance's frames. */
  readonly impaired: Span[] = [];
  readonly controlFrames: ControlFrame[] = [];
  /** The number of completed resets. */
  completed = 0;
  /** The number of frames of the deployment stream over all readers. */
  frames = 0;
  /** The number of responses by status, over all calls. */
  readonly statuses = new Map<number, number>();
  /** Violations found in single responses. */
  readonly violations: Violation[] = [];

  /** The number of posts with status 201. */
  get stored(): number {
    return this.statuses.get(201) ?? 0;
  }

  /** Records a frame of the control stream. */
  told(frame: ControlFrame): void {
    this.controlFrames.push(frame);
    if (frame.type === 'reset-completed') this.completed += 1;
  }

  /** Records the response to a call for which these statuses and 503 are allowed. */
  answered(call: string, answer: Answer, good: readonly number[]): void {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const fault = answerFault(answer, good);
    if (fault !== undefined) this.violated('answer', `${call}: ${fault}`);
  }

  /**
   * Records an event from any response or stream. Returns its id as a string instance that all readers share, to save
   * memory.
   */
  saw(surface: string, id: string, text: string): string {
    const digest = hash('md5', text, 'base64');
    const known = this.events.get(id);
    if (known) {
      if (known.digest !== digest)
        this.violated('altered', `${surface} has a different event with the id ${id} than before`);
      return known.id;
    }
    const event = eventOf(text);
    if (event?.id !== id) this.violated('altered', `${surface} sends ${text.slice(0, 200)} as ${id}`);
    if (event) this.events.set(id, { id, key: event.deployment_id, service: event.service, digest });
    return id;
  }

  violated(kind: Violation['kind'], what: string): void {
    this.violations.push({ kind, what });
  }
}

/** `undefined` if the text isn't JSON. */
function eventOf(text: string): DeploymentEvent | undefined {
  try {
    return JSON.parse(text) as DeploymentEvent;
  } catch {
    return undefined;
  }
}
