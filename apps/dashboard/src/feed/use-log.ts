import { useEffect, useMemo } from 'preact/hooks';
import { follow, readerOf } from './follow-log.ts';
import type { LogReader } from './log-reader.ts';
import type { Question } from './question.ts';

/** A reader of the log for a question, fed with what arrives; another question has another reader. */
export function useLog(question: Question): LogReader {
  const reader = useMemo(() => readerOf(question), [question.key]);
  useEffect(() => follow(reader), [reader]);
  return reader;
}
