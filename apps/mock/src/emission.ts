export interface EmissionOptions<Template> {
  /** Emitted in order, in a loop. */
  readonly templates: readonly Template[];
  readonly intervalMs: number;
  readonly emit: (template: Template) => void;
}

/** Emits one event per interval while it is on (companion services §3, reading 10.3). */
export class Emission<Template> {
  readonly #options: EmissionOptions<Template>;
  #timer: NodeJS.Timeout | undefined;
  #emitted = 0;

  constructor(options: EmissionOptions<Template>) {
    this.#options = options;
  }

  get emitting(): boolean {
    return this.#timer !== undefined;
  }

  /** The first event is emitted after one interval. Starting twice has no effect. */
  start(): void {
    this.#timer ??= setInterval(() => this.#emit(), this.#options.intervalMs);
  }

  /** Stops; the next start continues with the next template. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Starts again with the first template. */
  rewind(): void {
    this.#emitted = 0;
  }

  #emit(): void {
    const { templates, emit } = this.#options;
    const template = templates[this.#emitted % templates.length];
    if (template === undefined) return;
    this.#emitted += 1;
    emit(template);
  }
}
