import { streams } from '@shiplog/contract';
import { type Check, type Finding, finding, type Installation, isReaderRefused, readHeaders } from './finding.ts';

export interface StreamPatience {
  readonly firstByteMs: number;
  /** The time to wait for a ping. The service sends one every 15 s (core 6.2). */
  readonly pingMs: number;
}

const patience: StreamPatience = { firstByteMs: 5000, pingMs: 20_000 };

const bufferingRemedy = 'Configure the proxy not to buffer text/event-stream (nginx: proxy_buffering off).';

const readerRemedy = 'Set SHIPLOG_API_KEY to a key with the right `read`.';
const cutSentence = 'The stream is cut before its first ping. Raise the idle timeout of the proxy to 60 s or more.';
const removedSentence = 'A proxy removes X-Accel-Buffering, as nginx does. This is fine as long as the proxy obeys it.';

/** Checks whether a proxy delays, compresses or cuts streams. */
export const checkStream = (given: StreamPatience = patience): Check => {
  const say = (level: Finding['level'], text: string) => finding(level, 'stream', text);
  return async (installation) => {
    const ending = new AbortController();
    try {
      const opened = await within(given.firstByteMs, open(installation, ending.signal));
      if (opened === 'late')
        return [say('fault', `The stream does not start within ${given.firstByteMs / 1000} s. ${bufferingRemedy}`)];
      const fault = headFault(opened.response);
      if (fault !== undefined) return [say('fault', fault)];
      const heard = await within(given.pingMs, pinged(opened.reader, opened.first));
      if (heard === 'late')
        return [say('fault', `No ping arrived within ${given.pingMs / 1000} s. ${bufferingRemedy}`)];
      if (heard === 'cut') return [say('fault', cutSentence)];
      const ok = say('ok', 'The stream starts at once and sends pings.');
      return opened.response.headers.get('x-accel-buffering') === 'no' ? [ok] : [ok, say('note', removedSentence)];
    } finally {
      ending.abort();
    }
  };
};

/** Resolves with the first bytes. A buffering proxy sends only the headers. */
async function open(installation: Installation, ending: AbortSignal) {
  const { url, signal } = installation;
  const response = await fetch(`${url}${streams.deployments.path}`, {
    headers: { accept: 'text/event-stream', ...readHeaders(installation) },
    redirect: 'manual',
    signal: AbortSignal.any([signal, ending]),
  });
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  const { value } = await reader.read();
  return { response, reader, first: Buffer.from(value ?? []).toString() };
}

function headFault(response: Response): string | undefined {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? 'no type';
  if (isReaderRefused(response))
    return `The service doesn't let this reader follow streams (${status}). ${readerRemedy}`;
  if (status !== 200) return `The stream request returned ${status}. Configure the proxy to forward it.`;
  if (!type.startsWith('text/event-stream'))
    return `The stream has the type ${type}. Configure the proxy to forward it unchanged.`;
  const encoding = headers.get('content-encoding');
  if (encoding)
    return `The stream is compressed (${encoding}), which delays it. Disable compression for text/event-stream.`;
  return undefined;
}

async function pinged(reader: ReadableStreamDefaultReader<Uint8Array>, first: string): Promise<'ping' | 'cut'> {
  let text = first;
  while (!/^:/m.test(text)) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return 'cut';
    // A line may arrive in two chunks. Only the latest line is needed.
    text = text.slice(text.lastIndexOf('\n') + 1) + Buffer.from(value ?? []).toString();
  }
  return 'ping';
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
