import './style/page.css';
import './style/primitives.css';
import './shell/head.css';
import './style/controls.css';
import { render } from 'preact';
import { type FutureRows, futureRowsIn, noFutureRows } from './board/future-rows.ts';
import type { Ownership } from './board/ownership.ts';
import { catalogOf } from './live/catalog.ts';
import { Connection } from './live/connection.ts';
import { noticesOf } from './live/notices.ts';
import { outageOf } from './live/outage.ts';
import { PastStore } from './live/past-board.ts';
import { Shell } from './shell/shell.tsx';
import { imported } from './state/imported.ts';
import { Navigation } from './state/navigation.ts';
import { PreferenceStore } from './state/preferences.ts';
import { derived } from './state/store.ts';
import { AgeProvider } from './ui/age.tsx';
import { type App, AppProvider } from './ui/app.ts';
import './matrix/box.css';
import './matrix/board.css';
import './matrix/groups.css';
import './shell/outage.css';

const base = new URL('.', document.baseURI);
const connection = new Connection(base.href.replace(/\/$/, ''));
const { board, facts, now } = connection;
// The name includes the path, because this host may serve another Shiplog at another path.
const preferences = new PreferenceStore(`shiplog ${base.pathname}`);
const catalog = catalogOf(connection);
const navigation = new Navigation(preferences.value.display);
const past = new PastStore(connection, navigation.address);
const app: App = {
  navigation,
  preferences,
  connection,
  past,
  catalog,
  ownership: derived<Ownership>([catalog, preferences], (before) => {
    const { items } = catalog.value;
    const { favourites } = preferences.value;
    const isSame = before?.items === items && JSON.stringify(before.favourites) === JSON.stringify(favourites);
    return isSame ? before : { items, favourites };
  }),
  outage: outageOf(connection.link),
  futureRows: derived<FutureRows>([board, facts, now], (before = noFutureRows) =>
    board.value ? futureRowsIn(board.value, facts.value, now.value, before) : noFutureRows,
  ),
  notices: noticesOf(connection),
};
// Without this script there are no notifications until the page is loaded again.
imported(() => import('./shell/notifications.ts')).then(
  ({ startNotifying }) => startNotifying(app),
  () => undefined,
);
void connection.open();
const root = document.getElementById('root');
if (root) {
  render(
    <AppProvider value={app}>
      <AgeProvider>
        <Root />
      </AgeProvider>
    </AppProvider>,
    root,
  );
}

/**
 * Avoids a memory leak: a provider keeps the virtual node of its child. If that child were the Shell, the provider
 * would keep its first tree, and memoized rows link each old tree to a later one, so no tree could be collected. `Root`
 * has no state, so Preact never renders it again.
 */
function Root() {
  return <Shell />;
}
