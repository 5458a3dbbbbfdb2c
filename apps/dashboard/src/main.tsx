import { render } from 'preact';
import { Connection } from './live/connection.ts';
import { outageOf } from './live/outage.ts';
import { aheadSlotsOf } from './log/ahead-slots.ts';
import { startNotifying } from './shell/notifications.ts';
import { Shell } from './shell/shell.tsx';
import { Navigation } from './state/navigation.ts';
import { PreferenceStore } from './state/preferences.ts';
import { type App, AppProvider } from './ui/app.ts';
import './style/page.css';
import './style/controls.css';
import './style/box.css';
import './style/board.css';
import './style/outage.css';

const base = new URL('.', document.baseURI);
const connection = new Connection(base.href.replace(/\/$/, ''));
const app: App = {
  navigation: new Navigation(),
  // For the service at this path only: another service may be at another path of this host.
  preferences: new PreferenceStore(`shiplog ${base.pathname}`),
  connection,
  outage: outageOf(connection.link),
  aheadSlots: aheadSlotsOf(connection),
};
startNotifying(app);
void connection.open();
const root = document.getElementById('root');
if (root) {
  render(
    <AppProvider value={app}>
      <Shell />
    </AppProvider>,
    root,
  );
}
