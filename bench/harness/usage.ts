import { family } from './processor.ts';

/** Programs by the names that they are shown by, and what their command lines have. */
const programs = {
  service: /service\/dist\/main\.js/,
  PostgreSQL: /postgres/,
  subscribers: /reader-process\.js/,
  bench: /bench\/dist\/main\.js/,
} as const;

/** Use of the processors from now on. */
export interface Usage {
  /** By program, in percent of one processor; those that have ended tell their seconds themselves. */
  shares(ended: Readonly<Record<string, number>>): Promise<string>;
}

export async function startUsage(): Promise<Usage> {
  const startedAt = performance.now();
  const before = await processorSeconds();
  return {
    shares: async (ended) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const after = await processorSeconds();
      const used = [...after].map(([name, total]) => [name, total - (before.get(name) ?? 0)] as const);
      return [...used, ...Object.entries(ended)]
        .map(([name, spent]) => `${name} ${Math.round((100 * spent) / seconds)} %`)
        .join(', ');
    },
  };
}

/** Seconds of processor time so far, by program, over this process and all that descend from it. */
async function processorSeconds(): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const { command, ownMs } of await family([process.pid])) {
    const [name] = Object.entries(programs).find(([, pattern]) => pattern.test(command)) ?? [];
    if (name) seconds.set(name, (seconds.get(name) ?? 0) + ownMs / 1000);
  }
  return seconds;
}
