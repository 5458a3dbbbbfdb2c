import { headerNames } from '@shiplog/contract';
import { useEffect, useMemo } from 'preact/hooks';
import type { Connection } from '../live/connection.ts';
import { endAll } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import type { LogQuery } from './log-query.ts';
import { LogReader } from './log-reader.ts';

export function readerOf({ client }: Connection, query: LogQuery): LogReader {
  return new LogReader(async (listing, signal) => {
    const { body, headers } = await client.listDeployments({ query: listing, signal });
    return { ...body, position: headers.get(headerNames.streamPosition) ?? '' };
  }, query);
}

/** Starts a reader and passes arriving events to it until the returned function is called. */
export function follow(connection: Connection, reader: LogReader): () => void {
  void reader.older();
  return endAll(
    connection.onEvents((events) => reader.take(events)),
    connection.onRemoved((id) => reader.remove(id)),
    connection.onMissed((upTo) => void reader.catchUp(upTo)),
    connection.onCleared(() => void reader.reload()),
    () => reader.close(),
  );
}

/** A reader for a query that receives arriving events. Another query gets another reader. */
export function useLog(query: LogQuery): LogReader {
  const { connection } = useApp();
  const reader = useMemo(() => readerOf(connection, query), [connection, query.key]);
  useEffect(() => follow(connection, reader), [connection, reader]);
  return reader;
}
