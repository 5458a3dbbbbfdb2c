/** A calendar that can't be understood. The message is a clause that follows its name, such as "line 3: …". */
export class CalendarFault extends Error {}

/** The work that one calendar may cause; endless and rare rules stop here. */
export class CalendarBudget {
  #left: number;

  constructor(steps = stepsMax) {
    this.#left = steps;
  }

  /** @throws CalendarFault if the calendar needs too much work. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CalendarFault('its rules need too much work; shorten them or split the calendar');
  }
}

/** About a second on a slow machine, and a thousand rules without an end. */
const stepsMax = 2_000_000;
