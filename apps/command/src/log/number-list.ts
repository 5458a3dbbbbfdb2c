type Numbers = Float64Array | Uint16Array;

export class NumberList<Kind extends Numbers> {
  readonly #make: new (
    length: number,
  ) => Kind;
  #numbers: Kind;
  size = 0;

  constructor(make: new (length: number) => Kind) {
    this.#make = make;
    this.#numbers = new make(1024);
  }

  add(value: number): void {
    if (this.size === this.#numbers.length) {
      const wider = new this.#make(2 * this.size);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.#numbers[this.size] = value;
    this.size += 1;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
