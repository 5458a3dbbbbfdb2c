import { isDeepStrictEqual } from 'node:util';

const atOnce = 16;
const faultsMax = 20;

interface Attack<Each> {
  readonly cases: readonly Each[];
  /** All that the cases must not change. */
  readonly state: () => Promise<unknown>;
  /** Sends one, and says what is wrong with what comes back; a rejection is a fault, too. */
  readonly send: (each: Each) => Promise<readonly string[]>;
  /** What a fault is told with. */
  readonly name: (each: Each) => string;
  /** Cases with the same text are sent side by side; the state is looked at after each such group. */
  readonly group: (each: Each) => string;
}

/** Sends all cases, and gives what was wrong; it stops when that is enough to look at. */
export async function attack<Each>({ cases, state, send, name, group }: Attack<Each>): Promise<string[]> {
  const faults: string[] = [];
  let before = await state();
  for (const text of new Set(cases.map(group))) {
    await sideBySide(
      cases.filter((each) => group(each) === text),
      async (each) => {
        if (faults.length >= faultsMax) return;
        const found = await send(each).catch((error: Error) => [error.message]);
        faults.push(...found.map((fault) => `${name(each)}: ${fault}`));
      },
    );
    const after = await state();
    if (!isDeepStrictEqual(after, before)) faults.push(`${text}: changed what the program holds`);
    before = after;
  }
  return faults;
}

async function sideBySide<Each>(all: readonly Each[], act: (each: Each) => Promise<void>): Promise<void> {
  const left = all.values();
  const work = async () => {
    for (const each of left) await act(each);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
