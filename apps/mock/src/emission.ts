export interface EmissionOptions<Template> {
  /** Emitted one after another, and from the first again after the last. */
  readonly templates: readonly Template[];
  readonly intervalMs: number;
  readonly emit: (template: Template) => void;
}

/** What emits an event from time to time while it is switched on (companion services §3, reading 10.3). */
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

  /** The first event comes an interval after it was switched on; switching it on again changes nothing. */
  start(): void {
    this.#timer ??= setInterval(() => this.#emit(), this.#options.intervalMs);
  }

  /** The templates go on where they are when it is switched on again. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Begins with the first template again. */
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
