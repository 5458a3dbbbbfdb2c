import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge } from 'prom-client';

/** What the relay measures of itself (relay §9.14), beyond the requests that it answers. */
export class RelayMetrics {
  readonly http = new HttpMetrics();
  /** Called before metrics are given out. */
  onCollect: () => void = () => undefined;
  readonly messages = new Counter({
    name: 'shiplog_relay_messages_total',
    help: 'What became of messages: delivered, digested (told in a digest), dropped (the target never takes them), or failed, once for each attempt that is made again.',
    labelNames: ['target', 'result'],
    registers: [this.http.registry],
  });
  readonly waiting = new Gauge({
    name: 'shiplog_relay_waiting',
    help: 'News that a target does not have yet.',
    labelNames: ['target'],
    registers: [this.http.registry],
    collect: () => this.onCollect(),
  });
}
