import { render } from 'preact';
import { watchAheadSlots } from './live/ahead-slots.ts';
import { connect } from './live/connection.ts';
import { watchOutage } from './live/outage.ts';
import { startNotifying } from './notifications.ts';
import { Shell } from './shell/shell.tsx';
import './style/page.css';
import './style/board.css';
import './style/outage.css';

void connect();
watchOutage();
startNotifying();
watchAheadSlots();
const root = document.getElementById('root');
if (root) render(<Shell />, root);
