import { plain } from '@shiplog/text';
import { cutMiddle } from '../board/names.ts';
import { boldWidth } from './text-width.ts';

interface ServiceNameProps {
  readonly text: string;
  /** The available width in pixels, at 14 px bold. */
  readonly width: number;
  /** The beginning that all services of the group share. */
  readonly prefix?: string;
  /** Leaves the prefix to the header of the group; screen readers still read it. */
  readonly isPrefixShown?: boolean;
}

/** The name of a service, shortened in its middle. Where it fits as a whole, the prefix of its group is grey. */
export function ServiceName({ text, width, prefix = '', isPrefixShown = true }: ServiceNameProps) {
  const full = plain(text);
  const fits = (shown: string) => boldWidth(shown) <= width;
  if (prefix !== '' && (!isPrefixShown || fits(full)))
    return (
      <bdi class="service-name" title={full}>
        <span class={isPrefixShown ? 'soft' : 'unseen'}>{plain(prefix)}</span>
        {cutMiddle(text.slice(prefix.length), fits)}
      </bdi>
    );
  const shown = cutMiddle(text, fits, prefix);
  if (shown === full) return <bdi class="service-name">{full}</bdi>;
  return (
    <bdi class="service-name" title={full}>
      <span class="unseen">{full}</span>
      <span aria-hidden="true">{shown}</span>
    </bdi>
  );
}
