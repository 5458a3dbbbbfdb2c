import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge } from 'prom-client';

export class RelayMetrics {
  readonly http = new HttpMetrics();
  onCollect: () => void = () => undefined;
  readonly messages = new Counter({
    name: 'shiplog_relay_messages_total',
    help: 'Messages by result: delivered, digested (part of a digest), dropped (the target will never accept them) or failed (counted at each attempt).',
    labelNames: ['target', 'result'],
    registers: [this.http.registry],
  });
  readonly waiting = new Gauge({
    name: 'shiplog_relay_waiting',
    help: 'Events not yet delivered to a target.',
    labelNames: ['target'],
    registers: [this.http.registry],
    collect: () => this.onCollect(),
  });
}
