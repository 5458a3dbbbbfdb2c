import { headerNames } from '@shiplog/contract';
import { client, onCleared, onEvents, onMissed } from '../live/connection.ts';
import type { LogQuery } from './log-query.ts';
import { type Ask, LogReader } from './log-reader.ts';

const ask: Ask = async (query, signal) => {
  const { body, headers } = await client.listDeployments({ query, signal });
  return { ...body, position: headers.get(headerNames.streamPosition) ?? '' };
};

/** A reader of this page's log. */
export function readerOf(query: LogQuery): LogReader {
  return new LogReader(ask, query);
}

/** Has a reader begin, and feeds it with what arrives; gives what ends that, and the reader. */
export function follow(reader: LogReader): () => void {
  void reader.older();
  const ends = [
    onEvents((events) => reader.take(events)),
    onMissed((upTo) => void reader.catchUp(upTo)),
    onCleared(() => reader.startOver()),
  ];
  return () => {
    for (const end of ends) end();
    reader.close();
  };
}
