import { streams } from '@shiplog/contract';
import { type Check, type Examined, type Finding, finding } from './finding.ts';

/** How long a stream may take, in milliseconds. */
export interface StreamPatience {
  readonly firstByteMs: number;
  /** A ping comes every 15 s (core 6.2). */
  readonly pingMs: number;
}

const patience: StreamPatience = { firstByteMs: 5000, pingMs: 20_000 };

const mendBuffering = 'have the proxy pass text/event-stream on unbuffered (nginx: proxy_buffering off).';

/** Whether something on the way holds a stream back, packs it, or cuts it. */
export const checkStream = (given: StreamPatience = patience): Check => {
  const say = (level: Finding['level'], text: string) => finding(level, 'stream', text);
  return async (examined) => {
    const ending = new AbortController();
    try {
      const opened = await within(given.firstByteMs, open(examined, ending.signal));
      if (opened === 'late')
        return [say('fault', `A stream does not begin within ${given.firstByteMs / 1000} s; ${mendBuffering}`)];
      const fault = headFault(opened.response);
      if (fault !== undefined) return [say('fault', fault)];
      const heard = await within(given.pingMs, pinged(opened.reader, opened.first));
      if (heard === 'late') return [say('fault', `No ping came within ${given.pingMs / 1000} s; ${mendBuffering}`)];
      if (heard === 'cut') {
        return [
          say(
            'fault',
            'A stream is cut before its first ping; raise the time that the proxy lets a connection rest to 60 s or more.',
          ),
        ];
      }
      const isMarked = opened.response.headers.get('x-accel-buffering') === 'no';
      const taken = say(
        'note',
        'A proxy takes X-Accel-Buffering away, as nginx does; that is fine as long as it obeys it.',
      );
      return [say('ok', 'A stream begins at once and pings.'), ...(isMarked ? [] : [taken])];
    } finally {
      ending.abort();
    }
  };
};

interface Opened {
  readonly response: Response;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly first: string;
}

/** Resolves with the first bytes: a proxy that buffers sends the head alone. */
async function open({ url, signal }: Examined, ending: AbortSignal): Promise<Opened> {
  const response = await fetch(`${url}${streams.deployments.path}`, {
    headers: { accept: 'text/event-stream' },
    redirect: 'manual',
    signal: AbortSignal.any([signal, ending]),
  });
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  const { value } = await reader.read();
  return { response, reader, first: Buffer.from(value ?? []).toString() };
}

function headFault({ status, headers }: Response): string | undefined {
  const type = headers.get('content-type') ?? 'no type';
  if (status !== 200) return `A stream is answered ${status}; have the proxy pass it on.`;
  if (!type.startsWith('text/event-stream')) return `A stream comes as ${type}; have the proxy pass it on unchanged.`;
  const encoding = headers.get('content-encoding');
  if (encoding) return `A stream comes compressed (${encoding}), which holds it back; compress other answers only.`;
  return undefined;
}

async function pinged(reader: Opened['reader'], first: string): Promise<'ping' | 'cut'> {
  let text = first;
  while (!/^:/m.test(text)) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return 'cut';
    // A line that is cut in two is whole in the end; more than the last is not needed.
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
