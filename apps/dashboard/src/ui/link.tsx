import type { JSX } from 'preact';
import type { Address } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useApp } from './app.ts';

type AnchorProps = JSX.IntrinsicElements['a'];

interface LinkProps
  extends Pick<
    AnchorProps,
    'children' | 'class' | 'title' | 'tabIndex' | 'aria-label' | 'aria-current' | 'aria-expanded'
  > {
  /** The changes to the address; `undefined` = plain text instead of a link. */
  readonly to: Partial<Address> | undefined;
}

/** A link within the page. It renders again when the address changes. */
export function Link({ to, ...props }: LinkProps) {
  const { navigation } = useApp();
  useStore(navigation.address);
  return to ? <a {...props} href={navigation.linkTo(to)} /> : <span {...props} />;
}
