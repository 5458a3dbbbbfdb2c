import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp, useBoardContext } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { answerOf, answerText, whereOf } from './answer.ts';
import { Happened } from './happened.tsx';
import { presenceOf } from './presence.ts';
import { looks } from './presence-look.ts';
import { PromotionPath } from './promotion-path.tsx';
import { ReleaseFacts } from './release-facts.tsx';
import type { Found } from './release-question.ts';
import { Replaced } from './replaced.tsx';

interface ReleasePageProps {
  readonly found: Extract<Found, { kind: 'one' }>;
  readonly environment: string | undefined;
}

/** One release: the answer, the environments, the events and the releases that it replaced. */
export function ReleasePage({ found: { detail, befores }, environment }: ReleasePageProps) {
  const { navigation, connection, catalog } = useApp();
  const { environments: inOrder, production } = useBoardContext().stages;
  const row = useStore(connection.board)?.rows.get(detail.service);
  const nowMs = useStore(connection.now);
  const item = useStore(catalog).items.get(detail.service);
  const presences = useMemo(() => {
    const asked = environment === undefined ? [] : [environment];
    const names = [...new Set([...inOrder, ...Object.keys(detail.places), ...asked])];
    return new Map(names.map((name) => [name, presenceOf(detail, name, row)]));
  }, [detail, row, environment, inOrder.join('\n')]);
  const known = { detail, production: [...production], presences, nowMs };
  const answer = environment === undefined ? whereOf(known) : answerOf({ ...known, environment });
  const link = () => new URL(navigation.linkTo({}), location.href).href;
  return (
    <>
      {answer && (
        <section class={`card answer ${looks[answer.kind].tone}`} aria-label="Answer">
          <Mark shape={looks[answer.kind].shape} />
          <h2 class="headline answer-sentence breaks">{plain(answer.sentence)}</h2>
          <p class="answer-details soft breaks">
            {answer.details.map(({ text, isBad }) => (
              <span key={text} class={isBad ? 'bad-text' : ''}>
                {plain(text)}{' '}
              </span>
            ))}
          </p>
          <div class="wrap answer-actions">
            <CopyButton what="Copy answer" text={() => answerText(detail, answer, link())} />
            <CopyButton what="Share" text={link} />
          </div>
        </section>
      )}
      <PromotionPath detail={detail} presences={presences} befores={befores} environment={environment} />
      <div class="parts stack release-parts">
        <Happened detail={detail} />
        <div class="stack gap-16">
          <ReleaseFacts detail={detail} item={item} />
          <Replaced detail={detail} presences={presences} production={production} repository={item?.repository} />
        </div>
      </div>
    </>
  );
}
