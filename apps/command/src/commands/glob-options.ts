import type { OptionDefinition } from '../definition.ts';

/** What narrows an answer to names that match. */
export const servicesOption: OptionDefinition = {
  flags: '--services <glob>',
  description: 'only services of such names; repeatable',
  isRepeatable: true,
};
export const environmentsOption: OptionDefinition = {
  flags: '--environments <glob>',
  description: 'only environments of such names; repeatable',
  isRepeatable: true,
};
