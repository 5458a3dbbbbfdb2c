import { limits } from '@shiplog/contract';

const words: Readonly<Record<string, string>> = {
  '/version': `with a bad version. It has at most ${limits.version} characters: send the tag alone, and the commit as sha.`,
  unauthorized: 'without a valid key. Set API_KEY of the pipeline to the key of the service.',
  'payload-too-large': 'with too large a body. Send one event in each post.',
  validation: 'that are not a valid event. The answer to each lists what to correct.',
};

/** Why posts were refused, and what to do: "with a bad version. It has at most 50 characters: …". */
export function refusalWords(reason: string): string {
  const fallback = reason.startsWith('/')
    ? `with a bad ${reason.slice(1)}. The answer to each says what is expected.`
    : `refused as “${reason}”.`;
  return words[reason] ?? fallback;
}
