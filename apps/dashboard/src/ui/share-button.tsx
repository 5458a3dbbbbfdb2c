import { useApp } from './app.ts';
import { CopyButton } from './copy-button.tsx';

export function ShareButton() {
  const { navigation } = useApp();
  return <CopyButton what="Share" text={() => new URL(navigation.linkTo({}), location.href).href} />;
}
