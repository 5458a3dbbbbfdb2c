import { render } from 'preact';
import { connect } from './live/connection.ts';
import { watchOutage } from './live/outage.ts';
import { watchAheadSlots } from './log/ahead-slots.ts';
import { startNotifying } from './shell/notifications.ts';
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
