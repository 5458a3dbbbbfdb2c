import { limits } from '@shiplog/contract';

const words: Readonly<Record<string, string>> = {
  '/version': `with a bad version. Use at most ${limits.version} characters: send the tag as version and the commit as sha.`,
  unauthorized: 'without a valid key. Set API_KEY in the pipeline to the key of the service.',
  'payload-too-large': 'with a body that is too large. Send one event per post.',
  validation: 'with an invalid event. Each response lists what to correct.',
};

/** Why posts were refused, and what to do: "with a bad version. Use at most 50 characters: …". */
export function refusalWords(reason: string): string {
  const fallback = reason.startsWith('/')
    ? `with a bad ${reason.slice(1)}. Each response says what is expected.`
    : `refused as “${reason}”.`;
  return words[reason] ?? fallback;
}
