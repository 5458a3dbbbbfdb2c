import { useEffect, useMemo } from 'preact/hooks';
import { follow, readerOf } from './follow-log.ts';
import type { LogQuery } from './log-query.ts';
import type { LogReader } from './log-reader.ts';

/** A reader of the log for a query, fed with what arrives; another query has another reader. */
export function useLog(query: LogQuery): LogReader {
  const reader = useMemo(() => readerOf(query), [query.key]);
  useEffect(() => follow(reader), [reader]);
  return reader;
}
