import { client, link, onCleared, onEvents } from '../live/connection.ts';
import { type Ask, LogReader } from './log-reader.ts';
import type { Question } from './question.ts';

const ask: Ask = async (query, signal) => (await client.listDeployments({ query, signal })).body;

/** A reader of this page's log. */
export function readerOf(question: Question): LogReader {
  return new LogReader(ask, question);
}

/** Has a reader begin, and feeds it with what arrives; gives what ends that, and the reader. */
export function follow(reader: LogReader): () => void {
  void reader.older();
  const ends = [
    onEvents((events) => reader.take(events)),
    catchUpAfterGaps(reader),
    onCleared(() => reader.startOver()),
  ];
  return () => {
    for (const end of ends) end();
    reader.close();
  };
}

/** When the stream comes back, and with each look while it is down, the newest events are asked for. */
function catchUpAfterGaps(reader: LogReader): () => void {
  let before = link.value;
  return link.listen(() => {
    const isBack = link.value.link === 'live' && before.link !== 'live';
    const isPolled = link.value.link === 'polling' && link.value.asOf !== before.asOf;
    before = link.value;
    if (isBack || isPolled) void reader.catchUp();
  });
}
