import type { Logger, LoggerOptions } from 'pino';

type LogHook = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const [warn, error] = [40, 50];
const summaryEveryMs = 60_000;
/** The maximum number of reasons that are counted separately. Beyond this, lines with the same text share one count. */
const keysMax = 100;

/**
 * Collapses repeated warnings and errors that have the same error (`err`) or problem kind (`kind`). The first is logged
 * in full; after that, one line per minute has the number of repeats. Otherwise a client that retries immediately
 * during an outage could fill the disk.
 */
export function collapseRepeats(root: () => Logger): LogHook {
  const counts = new Map<string, number>();
  return function (line, write, level) {
    const { fields, texts } = partsOf(line);
    const repeats = level >= warn && level <= error && ('err' in fields || 'kind' in fields);
    if (!repeats) return write.apply(this, line);
    const key = keyOf(counts, [level, ...texts].join(' '), reasonOf(fields.err));
    const count = counts.get(key);
    if (count !== undefined) {
      counts.set(key, count + 1);
      return;
    }
    counts.set(key, 0);
    write.apply(this, line);
    const brief = { ...fields, err: withoutStack(fields.err) };
    const summary = setInterval(() => {
      const repeated = counts.get(key);
      if (repeated) {
        counts.set(key, 0);
        write.apply(root(), [{ ...brief, repeated }, ...texts]);
      } else {
        counts.delete(key);
        clearInterval(summary);
      }
    }, summaryEveryMs).unref();
  };
}

/** The arguments of a logger call: fields and a message, an error, or a message. */
function partsOf(line: readonly unknown[]): { fields: { readonly err?: unknown }; texts: [string?, ...unknown[]] } {
  const [first, ...rest] = line;
  if (typeof first !== 'object' || first === null) return { fields: {}, texts: line as [string?] };
  return { fields: first instanceof Error ? { err: first } : first, texts: rest as [string?] };
}

function keyOf(known: ReadonlyMap<string, unknown>, text: string, reason: string): string {
  const key = `${text}\n${reason}`;
  return known.has(key) || known.size < keysMax ? key : text;
}

/** The reason for an error without numbers, because ports, pids and counts differ from line to line. */
function reasonOf(err: unknown): string {
  return err instanceof Error ? err.message.replace(/\d+/g, '#') : '';
}

function withoutStack(err: unknown): unknown {
  return err instanceof Error ? { type: err.constructor.name, message: err.message } : err;
}
