import { headerNames } from '@shiplog/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { endAll } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import type { LogQuery } from './log-query.ts';
import { type Ask, LogReader } from './log-reader.ts';

/** A reader for a query that receives arriving events. Another query gets another reader. */
export function useLog(query: LogQuery): LogReader {
  const { connection } = useApp();
  const ask: Ask = async (listing, signal) => {
    const { body, headers } = await connection.client.listDeployments({ query: listing, signal });
    return { ...body, position: headers.get(headerNames.streamPosition) ?? '' };
  };
  const reader = useMemo(() => new LogReader(ask, query), [connection, query.key]);
  useEffect(() => {
    void reader.older();
    return endAll(
      connection.onEvents((events) => reader.take(events)),
      connection.onRemoved((id) => reader.remove(id)),
      connection.onMissed((upTo) => void reader.catchUp(upTo)),
      connection.onCleared(() => void reader.reload()),
      () => reader.close(),
    );
  }, [connection, reader]);
  return reader;
}
