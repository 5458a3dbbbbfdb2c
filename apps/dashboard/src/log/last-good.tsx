import { ageOf, versionOf } from '@shiplog/text';
import { DayTime } from '../ui/day-time.tsx';
import { Version } from '../ui/version.tsx';
import type { Before } from './before.ts';

interface LastGoodProps {
  readonly label: string;
  readonly before: Before;
}

/** "before: 2.9.3 for 4 d, until yesterday 14:02" */
export function LastGood({ label, before: { event, since, until } }: LastGoodProps) {
  const age = ageOf(Date.parse(since), Date.parse(until));
  return (
    <p class="wrap small">
      {label}: <Version text={versionOf(event)} /> for {age === 'now' ? 'a moment' : age}, until <DayTime at={until} />
    </p>
  );
}
