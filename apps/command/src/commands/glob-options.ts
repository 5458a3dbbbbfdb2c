import type { OptionDefinition } from '../definition.ts';

/** What narrows an answer to names that match. */
export const servicesOption: OptionDefinition = {
  flags: '--services <glob>',
  description: 'only services of such names; repeatable',
  isRepeatable: true,
};
const environmentsOption: OptionDefinition = {
  flags: '--environments <glob>',
  description: 'only environments of such names; repeatable',
  isRepeatable: true,
};
export const teamOption: OptionDefinition = {
  flags: '--team <name>',
  description: 'the services of this team of the catalog, beside those of --services; repeatable',
  isRepeatable: true,
};
/** What a question of the API can be narrowed to. */
export const scopeOptions: readonly OptionDefinition[] = [servicesOption, environmentsOption, teamOption];
export const periodOptions: readonly OptionDefinition[] = [
  { flags: '--period <days>', description: 'the days up to the last midnight in UTC, 1d to 400d (7d)' },
  { flags: '--from <time>', description: 'any period, with --to: an instant, a day, or so long ago: 30d, 12h' },
  { flags: '--to <time>', description: 'its end, which is not in it' },
];
