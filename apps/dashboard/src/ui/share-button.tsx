import { useApp } from './app.ts';
import { CopyButton } from './copy-button.tsx';

/** Copies the link to the current view. */
export function ShareButton() {
  const { navigation } = useApp();
  return <CopyButton what="Share" text={() => new URL(navigation.linkTo({}), location.href).href} />;
}
