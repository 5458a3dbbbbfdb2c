import { useEffect, useMemo } from 'preact/hooks';
import { follow, readerOf } from './follow-log.ts';
import type { Question } from './log-query.ts';
import type { LogReader } from './log-reader.ts';

/** A reader of the log for a question, fed with what arrives; another question has another reader. */
export function useLog(question: Question): LogReader {
  const reader = useMemo(() => readerOf(question), [question.key]);
  useEffect(() => follow(reader), [reader]);
  return reader;
}
