import type { DeploymentEvent } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing';
import { type EventMessage, eventMessage } from '../../src/domain/message.ts';

/** The id of an event that arrived at an instant; `number` orders ids of the same instant. */
export function idAt(ms: number, number = 0): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

export const arrivedMs = Date.UTC(2026, 4, 4, 9, 13);

/** An event as the service stores it, a minute after it happened. */
export function stored(fields: Partial<DeploymentEvent> = {}): DeploymentEvent {
  const { parent_deployments: _, ...posted } = anEvent() as DeploymentEvent;
  return { ...posted, id: idAt(arrivedMs), version: '1.4.2', actor: 'alice', ...fields };
}

export function news(fields: Partial<DeploymentEvent> = {}, team = ''): EventMessage {
  return eventMessage(stored(fields), team);
}

/** Text that strangers may write into fields that are limited only in length. */
export const hostileTexts: readonly string[] = [
  '<!channel> <@U123> <https://evil.example|Run>',
  '@everyone @here <@&1>',
  '[Run](https://evil.example) ![x](https://evil.example/x.png)',
  '*bold* _italic_ ~struck~ `code` ```block```',
  'www.evil.example WWW.evil.example',
  '[Run](//evil.example) <//evil.example|Run>',
  '**bold** __u__ ~~s~~ `code` ||spoiler||',
  '<img src=x onerror=alert(1)>&lt;b&gt;',
  'a\r\nBcc: evil@example.com\r\n\r\nbody',
  '\u202egnp.exe\u2066\u2069\u200f',
  '\u0000\u0007\u001b[31m',
  '"},{"status":"success"',
  "{service}{actor|'x'}",
  '://://@@',
  '😀'.repeat(64),
  '\u202e'.repeat(128),
  '&'.repeat(128),
];
