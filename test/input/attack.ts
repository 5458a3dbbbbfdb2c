import { isDeepStrictEqual } from 'node:util';

const atOnce = 16;
const faultsMax = 20;
const answerMs = 10_000;

interface Attack<Each> {
  readonly cases: readonly Each[];
  /** Reads the state that no case may change. */
  readonly state: () => Promise<unknown>;
  /** Sends a case and returns the faults in the response. A rejected promise is also a fault. */
  readonly send: (each: Each) => Promise<readonly string[]>;
  /** Names a case in a reported fault. */
  readonly name: (each: Each) => string;
  /** Cases of the same group are sent concurrently. The state is checked after each group. */
  readonly group: (each: Each) => string;
}

/** Sends all cases and returns the faults. Stops early after a number of faults. */
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
    if (!isDeepStrictEqual(after, before)) faults.push(`${text}: changed the state of the program`);
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

/** Rejects with this message if the promise is not settled within ten seconds. */
export async function inTime<Value>(promise: Promise<Value>, late: () => string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late())), answerMs);
  });
  return Promise.race([promise, bound]).finally(() => clearTimeout(timer));
}
