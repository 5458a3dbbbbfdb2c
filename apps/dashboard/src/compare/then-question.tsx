import { useState } from 'preact/hooks';
import { columnOrder } from '../board/columns.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { typedTime } from '../time-travel/time-text.ts';
import { dayAndTime } from '../time-travel/time-words.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Choice } from '../ui/choice.tsx';
import { QuestionSwitch } from './question-switch.tsx';

/** "What changed in … since …", with an environment and a time to choose. */
export function ThenQuestion({ earlier }: { readonly earlier: string }) {
  const { navigation, connection } = useApp();
  const { comparison } = useAddress();
  const nowMs = useStore(connection.now);
  const environments = useStore(connection.board)?.environments ?? [];
  const names = columnOrder(environments, useStore(connection.promotionOrder), home.columns);
  const [typed, setTyped] = useState({ of: '', text: '' });
  const [fault, setFault] = useState<string>();
  const text = typed.of === earlier ? typed.text : dayAndTime(Date.parse(earlier), nowMs);
  const submit = (event: Event) => {
    event.preventDefault();
    const time = typedTime(text, nowMs);
    if (time === 'now' || 'fault' in time) {
      setFault(time === 'now' ? 'Enter a time in the past.' : time.fault);
      return;
    }
    setFault(undefined);
    setTyped({ of: '', text: '' });
    if (typed.of === earlier)
      navigation.go({ comparison: { ...comparison, earlier: new Date(time.ms).toISOString() } });
  };
  return (
    <form class="wrap title question compare-question" aria-label="Environment and start time" onSubmit={submit}>
      <span>What changed in</span>
      <Choice
        label="In"
        value={comparison.to}
        names={names}
        all="all environments"
        onChoose={(to) => navigation.go({ comparison: { ...comparison, to } })}
      />
      <span>since</span>
      <input
        class="field"
        aria-label="Since: a time such as 14:05, yesterday 14:05, 19 Nov 14:05 or 3 h ago"
        maxLength={40}
        value={text}
        onInput={({ currentTarget }) => setTyped({ of: earlier, text: currentTarget.value })}
      />
      <button type="submit" class="chip" disabled={text.trim() === ''}>
        Show
      </button>
      <span class="space" />
      <QuestionSwitch />
      {fault && (
        <p class="small" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
