import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';

const triesMax = 3;

/**
 * What is refused counts as absent. What fails is left to a later look, three times in all: without a bound a run that
 * GitHub cannot show would hold up its repository for ever.
 */
export class Patience {
  readonly #faults = new Map<string, number>();

  /** @throws ToolAway the first two times; whatever concerns more than what was asked for */
  async bear<Body>(part: string, ask: () => Promise<Body>): Promise<Body | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof PlaceRefused) return undefined;
      if (!(error instanceof ToolAway)) throw error;
      const faults = (this.#faults.get(part) ?? 0) + 1;
      this.#faults.set(part, faults);
      if (faults < triesMax) throw error;
      return undefined;
    }
  }
}
