import { hash } from 'node:crypto';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Answer } from '@shiplog/testing/http';
import { answerFault } from './checks/answers.ts';
import type { Violation } from './checks/violation.ts';

/** One post: what was sent and what came back. Every time here is in milliseconds of one monotonic clock. */
export interface Post {
  /** Its deployment id, which no other post has. */
  readonly key: string;
  /** Where it was sent to, if that is one of several. */
  readonly instance?: string;
  readonly sentAt: number;
  /** How many resets had been seen completed when it was sent. */
  readonly completedBefore: number;
  readonly answeredAt: number;
  /** `undefined` where the connection was cut before an answer came. */
  readonly status: number | undefined;
  /** Of the event, where the status is 201. */
  readonly id: string | undefined;
  /** The slug of the problem, where the answer was one. */
  readonly problem: string | undefined;
}

/** An event of the deployment log as it was first seen on any surface. */
export interface SeenEvent {
  readonly id: string;
  /** Its deployment id. */
  readonly key: string;
  readonly service: string;
  /** Of the JSON text, which every surface has to send alike. */
  readonly digest: string;
}

/** What one reader of the deployment stream got, over all its connections. */
export interface Reading {
  readonly reader: string;
  /** The filter. */
  readonly service: string | undefined;
  /** Where it began; `undefined` = live. */
  readonly after: string | undefined;
  readonly ids: string[];
  /** The instance that it never leaves; arrival times are kept of such readers only. */
  readonly home: string | undefined;
  readonly arrivedAt: number[];
}

/** How a connection of a reader was answered. */
export interface Resumption {
  readonly reader: string;
  readonly instance: string;
  readonly after: string | undefined;
  /** `X-Stream-Resume`. */
  readonly resume: string | undefined;
  /** How many resets had been seen completed when it was asked for. */
  readonly completedBefore: number;
}

/** One answer of `/readyz`. */
export interface Probe {
  readonly instance: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number;
}

/** A time in which something was so for an instance. */
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

/** The history of a run: everything that was sent and received, for the checks at its end. */
export class History {
  readonly posts: Post[] = [];
  readonly events = new Map<string, SeenEvent>();
  readonly readings: Reading[] = [];
  readonly resumptions: Resumption[] = [];
  readonly probes: Probe[] = [];
  /** When an instance certainly had no way to its database. */
  readonly severed: Span[] = [];
  /** When something was broken for an instance that may delay its frames. */
  readonly impaired: Span[] = [];
  readonly controlFrames: ControlFrame[] = [];
  /** How many resets have been seen completed. */
  completed = 0;
  /** Frames of the deployment stream over all readers. */
  frames = 0;
  /** Answers by status, over all calls. */
  readonly statuses = new Map<number, number>();
  /** What was wrong on its face. */
  readonly violations: Violation[] = [];

  /** How many posts have been answered 201. */
  get stored(): number {
    return this.statuses.get(201) ?? 0;
  }

  /** Notes a frame of the control stream. */
  told(frame: ControlFrame): void {
    this.controlFrames.push(frame);
    if (frame.type === 'reset-completed') this.completed += 1;
  }

  /** Notes an answer to a call that may be answered with these statuses, or with 503. */
  answered(call: string, answer: Answer, good: readonly number[]): void {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const fault = answerFault(answer, good);
    if (fault !== undefined) this.violated('answer', `${call}: ${fault}`);
  }

  /** Notes an event that came on some surface; gives its id as the one string that all readings share. */
  saw(surface: string, id: string, text: string): string {
    const digest = hash('md5', text, 'base64');
    const known = this.events.get(id);
    if (known) {
      if (known.digest !== digest) this.violated('altered', `${surface} has another event ${id} than was seen before`);
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

/** `undefined` where it is no JSON. */
function eventOf(text: string): DeploymentEvent | undefined {
  try {
    return JSON.parse(text) as DeploymentEvent;
  } catch {
    return undefined;
  }
}
