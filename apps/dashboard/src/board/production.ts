import type { Stages } from './stages.ts';

const productionWords = new Set(['prod', 'production', 'prd', 'live', 'dr']);

/** The environments whose names suggest production (stages.md 4.19). */
export function guessedProduction(environments: readonly string[]): string[] {
  return environments.filter((name) =>
    name
      .toLowerCase()
      .split(/[-_.]/)
      .some((word) => productionWords.has(word)),
  );
}

/** The setting that makes these environments production for everyone (stages.md 1). */
export function productionSetting(
  { names, all }: Pick<Stages, 'names' | 'all'>,
  environments: readonly string[],
): string {
  const globs = (own: readonly string[]) => own.map((name) => name.replace(/[\\*?|,=]/g, '\\$&')).join('|');
  const entryOf = (name: string) => {
    const own = all.find((stage) => stage.name === name && !stage.isProduction)?.environments ?? [];
    const isPlain = own.every((each) => each.toLowerCase() === name.toLowerCase());
    return `${name.replace(/[\\,=]/g, '\\$&')}${isPlain ? '' : `=${globs(own)}`}`;
  };
  const entries = [...names.slice(0, -1).map(entryOf), `production=${globs(environments)}`];
  return `ANALYTICS_FUNNEL_ENVIRONMENTS=${entries.join(',')}`;
}
