import { compilePatterns } from '@shiplog/component';
import type { Context, Delivery, Polling, Received, Source, SourceFigures, Step } from '../../adapter.ts';
import type { Json } from '../../change.ts';
import { AuthFailed, SourcePaused, ToolAway } from '../../tool/refusals.ts';
import { failingPlaces, PlaceFailures, Rounds } from '../../tool/rounds.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, type Project, pickDeployments } from './answers.ts';
import { Backfill } from './backfill.ts';
import { type HookStatus, readHook } from './hook.ts';
import { Journal } from './journal.ts';
import { backfillFrom, fitMemory, type Memory, readMemory, writeMemory } from './memory.ts';
import { findProjects } from './places.ts';
import { Siblings } from './siblings.ts';
import { meaningOf, verdictOf } from './statuses.ts';
import { deploymentIdOf, orderOf, Translator, variablesOf } from './translator.ts';

/** The maximum delay before GitLab lists a deployment. */
const lateMs = 10 * 60_000;

/** GitLab shows changes late, so consecutive lists overlap by this time. */
const overlapMs = 60_000;
const deploymentsAtOnce = 20;

/** A request that doesn't concern a polled project. */
const listOfOne = '/api/v4/projects?per_page=1&order_by=id&simple=true';

/** Whether everything was read, and whether anything was new. */
interface Outcome {
  readonly isWhole: boolean;
  readonly hasChanges: boolean;
}

/** The deployments of the projects on one GitLab server (fetcher §10). */
export class GitlabSource implements Source {
  readonly defaults = { service: ({ name = '' }) => name, version: '{version}' };
  readonly #context: Context;
  readonly #http: ToolHttp;
  readonly #rounds = new Rounds();
  readonly #failures: PlaceFailures;
  readonly #siblings: Siblings;
  readonly #translator: Translator;
  readonly #journal: Journal;
  readonly #backfill: Backfill;
  #projects: readonly Project[] = [];
  #refusedPlaces: readonly string[] = [];
  #warnings: readonly string[] = [];
  #foundMs: number | undefined;

  constructor(context: Context, http: ToolHttp) {
    this.#context = context;
    this.#http = http;
    this.#failures = new PlaceFailures({ rounds: this.#rounds, http, log: context.log, probe: listOfOne });
    this.#siblings = new Siblings(http);
    this.#translator = new Translator(http, this.#siblings);
    this.#journal = new Journal(this.#translator, (status) => context.unknownStatus(status));
    const parts = { http, siblings: this.#siblings, journal: this.#journal };
    const places = { rounds: this.#rounds, failures: this.#failures };
    this.#backfill = new Backfill({ ...parts, ...places, depth: context.times.backfillDepth });
  }

  begin(from: Date, memory?: Json): Json {
    this.#journal.forget();
    const known = memory === undefined ? undefined : readMemory(memory);
    const { outstandingMs = from.getTime(), marks = new Map(), isCut = false } = known ?? {};
    return writeMemory({ outstandingMs, marks, isCut, backfill: backfillFrom(from.getTime()) });
  }

  startingAt(instant: Date): Json {
    this.#journal.forget();
    const startMs = instant.getTime();
    return writeMemory({ outstandingMs: startMs, marks: new Map(), isCut: true, startMs });
  }

  fit(memory: Json, bytesMax: number): Json {
    return writeMemory(fitMemory(this.#read(memory), bytesMax));
  }

  async *poll(json: Json, { only, signal }: Polling): AsyncIterable<Step> {
    const memory = this.#read(json);
    await this.#discover(signal);
    if (this.#adopt(memory)) yield { changes: [], memory: writeMemory(memory) };
    const names = this.#rounds.begin(this.#http.now()).filter((name) => only?.has(name) ?? true);
    for (const [index, name] of names.entries()) {
      const project = this.#projects.find(({ path }) => path === name);
      // Always request the first project, so that a pause of the source is reported.
      if (!project || (index > 0 && !this.#http.hasTurn)) return;
      yield* this.#pollProject(project, memory, signal);
    }
    const { fault } = this.#rounds;
    if (fault !== undefined && !only) throw new ToolAway(fault);
  }

  async *backfill(json: Json, signal: AbortSignal): AsyncIterable<Step> {
    if (this.#foundMs === undefined) return;
    yield* this.#backfill.run({ memory: this.#read(json), projects: this.#projects, signal });
  }

  figures(json: Json): SourceFigures {
    const { backfill } = this.#read(json);
    const left = backfill ? this.#backfill.left(backfill, this.#projects) : 0;
    const isOver = !backfill || (this.#foundMs !== undefined && left === 0);
    return {
      open: this.#journal.openSince(this.#http.now() - this.#context.times.watchMaxAgeMs),
      forbidden: [...this.#refusedPlaces, ...this.#rounds.refusedNames].sort(),
      backfill: isOver ? null : { done: this.#projects.length - left, left },
      failing: failingPlaces(this.#rounds.failing),
      warnings: [...this.#addressWarnings, ...this.#warnings],
      oldestPollMs: this.#rounds.oldestPollMs,
    };
  }

  async receive({ body }: Delivery, signal: AbortSignal): Promise<Received | undefined> {
    const hook = readHook(body);
    if (!hook) return { changes: [], hints: [] };
    const { places } = this.#context;
    if (places.length === 0) return this.#receiveChange(hook, signal);
    const { id, path } = hook.project;
    const known = this.#projects.find((one) => one.id === id);
    if (!known && !compilePatterns(places).match(path)) return undefined;
    return { changes: [], hints: [known?.path ?? path] };
  }

  get #addressWarnings(): string[] {
    const [suffix] = /\/api\/v\d+$/.exec(this.#context.baseUrl) ?? [];
    return suffix === undefined ? [] : [`The base URL ends in ${suffix}, which the fetcher adds. Remove it.`];
  }

  /** An invalid memory counts as none. */
  #read(json: Json): Memory {
    const fromMs = this.#http.now() - this.#context.times.backfillMaxAgeMs;
    const none = { outstandingMs: fromMs, marks: new Map(), isCut: false, backfill: backfillFrom(fromMs) };
    return readMemory(json) ?? none;
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const { places, times } = this.#context;
    if (this.#foundMs !== undefined && this.#http.now() - this.#foundMs < times.discoveryMs) return;
    this.#http.rediscover();
    try {
      const { projects, refused, warnings } = await findProjects(this.#http, places, signal);
      this.#projects = projects.toSorted((one, other) => one.id - other.id);
      this.#refusedPlaces = refused;
      this.#warnings = warnings;
      this.#rounds.set(projects.map(({ path }) => path));
      this.#foundMs = this.#http.now();
    } catch (error) {
      // Polls the known projects, and reads their list in the next cycle.
      if (!(error instanceof ToolAway) || this.#foundMs === undefined) throw error;
    }
  }

  /** Polls new projects from now on, and backfills their earlier deployments. */
  #adopt(memory: Memory): boolean {
    if (memory.isCut) return false;
    const added = this.#projects.filter(({ id }) => !memory.marks.has(id));
    const nowMs = this.#http.now();
    const greatest = this.#projects.at(-1)?.id ?? 0;
    for (const { id } of added) {
      memory.marks.set(id, this.#http.settledNow() - lateMs);
      const horizonMs = nowMs - this.#context.times.backfillMaxAgeMs;
      memory.backfill ??= { ...backfillFrom(horizonMs), pass: 2, sweptTo: greatest };
      if (memory.backfill.pass === 2 && id <= memory.backfill.sweptTo) memory.backfill.pages.set(id, 1);
    }
    return added.length > 0;
  }

  async *#pollProject(project: Project, memory: Memory, signal: AbortSignal): AsyncGenerator<Step, void, undefined> {
    const nowMs = this.#http.now();
    try {
      const { isWhole, hasChanges } = yield* this.#updated(project, memory, signal);
      if (!isWhole) return;
      this.#failures.answered();
      this.#rounds.polled(project.path, nowMs, hasChanges);
      if (!memory.backfill) this.#siblings.forget(project, nowMs - this.#context.times.watchMaxAgeMs);
    } catch (error) {
      await this.#failures.record(project.path, 'list', error, signal);
    }
  }

  /** Polls the deployments of a project that were updated since its mark (fetcher §10.1). */
  async *#updated(project: Project, memory: Memory, signal: AbortSignal): AsyncGenerator<Step, Outcome, undefined> {
    const http = this.#http;
    const fromMs = Math.max(0, (memory.marks.get(project.id) ?? memory.outstandingMs) - overlapMs);
    let hasChanges = false;
    let nextMs: number | undefined = fromMs;
    while (nextMs !== undefined) {
      const afterMs: number = nextMs;
      nextMs = undefined;
      const askedMs = http.settledNow();
      for await (const { body, more } of http.pages(listOf(project, afterMs), signal, pickDeployments)) {
        this.#siblings.note(project, body);
        if (!more) this.#siblings.covered(project, fromMs, askedMs);
        hasChanges = (yield* this.#settled(project, memory, body, signal)) || hasChanges;
        const lastMs = lastOf(body);
        if (!more || lastMs === undefined) break;
        if (!http.hasTurn) return { isWhole: false, hasChanges };
        // Page offsets shift while deployments are updated; a request by time misses none.
        if (lastMs > afterMs) {
          nextMs = lastMs;
          break;
        }
      }
    }
    return { isWhole: true, hasChanges };
  }

  /** Yields a page in steps; returns whether there were changes. */
  async *#settled(
    project: Project,
    memory: Memory,
    deployments: readonly Deployment[],
    signal: AbortSignal,
  ): AsyncGenerator<Step, boolean, undefined> {
    const http = this.#http;
    const journal = this.#journal;
    let hasChanges = false;
    for (let from = 0; from < deployments.length; from += deploymentsAtOnce) {
      const some = deployments.slice(from, from + deploymentsAtOnce);
      const changes = await journal.changesOf(project, journal.entriesOf(some), memory.startMs, signal);
      // Deployments dated in the future must not hide others.
      const markMs = Math.min(lastOf(some) ?? 0, http.settledNow());
      memory.marks.set(project.id, Math.max(markMs, memory.marks.get(project.id) ?? 0));
      yield { changes, memory: writeMemory(memory) };
      journal.settle(some);
      hasChanges ||= changes.length > 0;
    }
    return hasChanges;
  }

  /** Without polling only the delivery is available (fetcher §11). */
  async #receiveChange({ project, deployment }: HookStatus, signal: AbortSignal): Promise<Received> {
    const { id, status: hookStatus, updatedAt } = deployment;
    const meaning = meaningOf(deployment);
    if (meaning === undefined) {
      this.#context.unknownStatus(hookStatus);
      return { changes: [], hints: [] };
    }
    const status =
      hookStatus === 'failed' ? verdictOf(await this.#failureReason({ project, deployment }, signal)) : meaning;
    const change = {
      id: deploymentIdOf(id),
      order: orderOf(id, status),
      status,
      at: updatedAt,
      identity: 'status',
      parents: [],
      vars: variablesOf(project, deployment),
    } as const;
    return { changes: [change], hints: [] };
  }

  /** Empty if no request can be sent now. The sender is waiting, so the requests can't be postponed. */
  async #failureReason({ project, deployment: { job } }: HookStatus, signal: AbortSignal): Promise<string> {
    if (!job || this.#context.token === undefined || !this.#http.hasTurn) return '';
    try {
      return await this.#translator.failureReasonOf(project, job.id, signal);
    } catch (error) {
      if (error instanceof AuthFailed || error instanceof SourcePaused || error instanceof ToolAway) return '';
      throw error;
    }
  }
}

function listOf({ id }: Project, afterMs: number): string {
  const after = new Date(afterMs).toISOString();
  return `/api/v4/projects/${id}/deployments?order_by=updated_at&sort=asc&updated_after=${after}&per_page=100`;
}

function lastOf(deployments: readonly Deployment[]): number | undefined {
  const last = deployments.at(-1);
  return last && Date.parse(last.updatedAt);
}
