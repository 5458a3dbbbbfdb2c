import { family } from './processor.ts';

/** Programs by display name, each with a part of its command line. */
const programs = {
  service: /service\/dist\/main\.js/,
  PostgreSQL: /postgres/,
  subscribers: /reader-process\.js/,
  bench: /bench\/dist\/main\.js/,
} as const;

/** CPU usage from now on. */
export interface Usage {
  /** The CPU usage per program, as a percentage of one CPU. `ended` has the seconds of programs that have ended. */
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

/** The CPU seconds so far of this process and its descendants, by program. */
async function processorSeconds(): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  for (const { command, ownMs } of await family([process.pid])) {
    const [name] = Object.entries(programs).find(([, pattern]) => pattern.test(command)) ?? [];
    if (name) seconds.set(name, (seconds.get(name) ?? 0) + ownMs / 1000);
  }
  return seconds;
}
