import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { Attention, AttentionKind } from '../board/attention.ts';
import { attentionSentence, detailOf, problemText, reporterName, versionIn } from '../board/attention-words.ts';
import type { Address } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';

const shapes: Readonly<Record<AttentionKind, Shape>> = {
  failed: 'bad',
  stuck: 'stuck',
  slow: 'run',
  waits: 'pause',
  ahead: 'ahead',
  silent: 'mute',
};

/** The mark of a kind. */
export function shapeOf(kind: AttentionKind): Shape {
  return shapes[kind];
}

export interface AttentionItemProps {
  readonly item: Attention;
  readonly nowMs: number;
  /** The service is unreachable. */
  readonly isOut: boolean;
}

/** One item that needs attention, linked to its slot. Its accessible name is a full sentence. */
export const AttentionItem = memo(({ item, nowMs, isOut }: AttentionItemProps) => {
  const { kind, service, environment, isProduction } = item;
  const ages = { nowMs, isOut };
  const version = versionIn(item);
  const className = kind === 'failed' ? (isProduction ? 'bad filled' : 'bad') : kind;
  return (
    <li>
      <Link class={`need ${className}`} to={targetOf(item)}>
        <span class="unseen">{attentionSentence(item, ages)}</span>
        <span class="need-mark" aria-hidden="true">
          <Mark shape={shapeOf(kind)} />
        </span>
        <span class="need-name strong" aria-hidden="true">
          <Cut text={environment === undefined ? reporterName(service) : service} />
        </span>
        <span class="need-place strong fine" aria-hidden="true">
          <Cut text={environment ?? 'reporter'} />
        </span>
        <span class="need-version fine" aria-hidden="true">
          {version !== undefined && <Version text={version} />}
        </span>
        <span class="need-matter strong cut fine" aria-hidden="true">
          {problemText(item, ages)}
        </span>
        <span class="need-detail soft cut fine" aria-hidden="true">
          <Cut text={detailOf(item, ages)} />
        </span>
      </Link>
    </li>
  );
});

/** The history of a slot; for a reporter, the quality view. */
function targetOf({ service, environment }: Attention): Partial<Address> {
  return environment === undefined ? { view: 'quality', slot: undefined } : { slot: { service, environment } };
}

/** An item stays the same element while it is about the same slot or reporter. */
export function attentionKey({ kind, service, environment }: Attention): string {
  return JSON.stringify([environment === undefined ? kind : environment, service]);
}
