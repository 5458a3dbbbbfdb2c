/** An invalid calendar. The message is a clause that follows its name, such as "line 3: …". */
export class CalendarFault extends Error {}

/** Limits the work for one calendar, to stop endless rules and those that rarely match. */
export class CalendarBudget {
  #left: number;

  constructor(steps = stepsMax) {
    this.#left = steps;
  }

  /** @throws CalendarFault if the budget is used up. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0)
      throw new CalendarFault('its rules take too long to expand; simplify them or split the calendar');
  }
}

/** About a second on a slow machine; enough for a thousand rules without an end. */
const stepsMax = 2_000_000;
