import { setTimeout as delay } from 'node:timers/promises';
import { headerNames, streams } from '@shiplog/contract';
import { type Answer, answerOf } from '@shiplog/testing/http';
import type { Dice } from '@shiplog/testing/random';
import { StreamReader } from '@shiplog/testing/stream-reader';
import type { History, Reading, Resumption } from './history.ts';
import type { Place } from './instance.ts';

export interface ReaderHabits {
  readonly name: string;
  /** The service that the reader filters by; all services by default. */
  readonly service?: string;
  /** The start position; live by default. */
  readonly after?: string;
  /** The instance that the reader always uses; by default it alternates. */
  readonly home?: Place;
  /** The maximum number of frames before the reader switches to another instance. */
  readonly framesPerVisitMax?: number;
  /** Whether the reader occasionally pauses. */
  readonly slow?: boolean;
}

const framesPerVisitMax = 4000;
const framesBetweenPauses = 500;
const pauseMs = { min: 200, max: 2500 };
const betweenVisitsMs = { min: 20, max: 250 };
/** If a reader gets no frame for this long, the missing frames are lost. */
const patienceMs = 30_000;
const lookAgainMs = 50;

/** Waits until each reader has its last row, as long as frames arrive, and stops the readers. */
export async function finish(
  readers: readonly Reader[],
  rows: readonly { readonly id: string; readonly service: string }[],
): Promise<void> {
  await Promise.all(
    readers.map((reader) => {
      const { service } = reader.reading;
      return reader.catchUp(rows.findLast((row) => (service ?? row.service) === row.service)?.id ?? '');
    }),
  );
  // Wait for surplus frames.
  await delay(lookAgainMs);
  await Promise.all(readers.map((reader) => reader.stop()));
}

/** A reader of the deployment stream that reconnects to any instance with the id of its last frame. */
export class Reader {
  readonly reading: Reading;
  readonly #habits: ReaderHabits;
  readonly #instances: readonly Place[];
  readonly #history: History;
  readonly #dice: Dice;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #stream: StreamReader | undefined;
  #inHurry = false;

  constructor(habits: ReaderHabits, instances: readonly Place[], history: History, dice: Dice) {
    this.#habits = habits;
    this.#instances = instances;
    this.#history = history;
    this.#dice = dice;
    const { name: reader, service, after, home } = habits;
    this.reading = { reader, service, after, home: home?.name, ids: [], arrivedAt: [] };
    history.readings.push(this.reading);
    this.#ended = this.#rove();
  }

  /** The id of the last frame, or the start position. */
  get position(): string | undefined {
    return this.reading.ids.at(-1) ?? this.reading.after;
  }

  /** Ends the reader's pauses and waits until it has reached this id. Gives up when no more frames arrive. */
  async catchUp(id: string): Promise<void> {
    this.#inHurry = true;
    let seen = -1;
    let lastAt = 0;
    while ((this.position ?? '') < id) {
      const now = performance.now();
      if (this.reading.ids.length > seen) lastAt = now;
      else if (now - lastAt > patienceMs) return;
      seen = this.reading.ids.length;
      await delay(lookAgainMs);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stream?.close();
    await this.#ended;
  }

  async #rove(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const open = this.#instances.filter(({ quiet }) => !quiet);
      await this.#visit(this.#habits.home ?? this.#dice.one(open));
      await delay(this.#dice.between(betweenVisitsMs.min, betweenVisitsMs.max), undefined, { signal }).catch(() => {});
    }
  }

  async #visit(instance: Place): Promise<void> {
    const { service, home, slow } = this.#habits;
    const after = this.position;
    const completedBefore = this.#history.completed;
    const visit = this.#dice.between(1, this.#habits.framesPerVisitMax ?? framesPerVisitMax);
    let frames = 0;
    let isOver = false;
    const stream = await StreamReader.connect({
      url: `${instance.url}${streams.deployments.path}${service === undefined ? '' : `?service=${service}`}`,
      headers: after === undefined ? {} : { [headerNames.lastEventId]: after },
      keeps: 'nothing',
      onFrame: ({ id = '', data }, from) => {
        // Ignore frames that arrive after the visit.
        if (isOver) return;
        this.#take(id, data);
        frames += 1;
        if (!home && (frames >= visit || instance.quiet)) {
          isOver = true;
          from.close();
        } else if (slow && !this.#inHurry && frames % framesBetweenPauses === 0) this.#rest(from);
      },
    }).catch(() => undefined);
    if (!stream) return;
    this.#stream = stream;
    if (this.#stopping.signal.aborted) stream.close();
    if (stream.status !== 200) await stream.ends();
    this.#answered(answerOf(stream), { instance: instance.name, after, completedBefore });
    await stream.ends();
  }

  #answered(answer: Answer, asked: Pick<Resumption, 'instance' | 'after' | 'completedBefore'>): void {
    const { reader } = this.reading;
    this.#history.answered(`${reader} opening a stream`, answer, [200]);
    if (answer.status !== 200) return;
    const resume = answer.headers[headerNames.streamResume.toLowerCase()] as string | undefined;
    this.#history.resumptions.push({ reader, resume, ...asked });
  }

  #take(id: string, data: string): void {
    const { reader, ids, arrivedAt, home } = this.reading;
    ids.push(this.#history.saw(reader, id, data));
    if (home !== undefined) arrivedAt.push(performance.now());
    this.#history.frames += 1;
  }

  #rest(stream: StreamReader): void {
    stream.pause();
    setTimeout(() => stream.resume(), this.#dice.between(pauseMs.min, pauseMs.max));
  }
}
