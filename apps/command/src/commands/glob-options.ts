import type { OptionDefinition } from '../definition.ts';

/** Options that narrow an answer to matching names. */
export const servicesOption: OptionDefinition = {
  flags: '--services <glob>',
  description: 'only services that match; repeatable',
  isRepeatable: true,
};
const environmentsOption: OptionDefinition = {
  flags: '--environments <glob>',
  description: 'only environments that match; repeatable',
  isRepeatable: true,
};
export const teamOption: OptionDefinition = {
  flags: '--team <name>',
  description: 'also the services of this team in the catalog; repeatable',
  isRepeatable: true,
};
/** The scope of an API question. */
export const scopeOptions: readonly OptionDefinition[] = [servicesOption, environmentsOption, teamOption];
export const periodOptions: readonly OptionDefinition[] = [
  { flags: '--period <days>', description: 'number of days up to the last midnight UTC, 1d to 400d (default 7d)' },
  { flags: '--from <time>', description: 'start of the period: a time, a date or an age such as 30d (requires --to)' },
  { flags: '--to <time>', description: 'end of the period (exclusive)' },
];
