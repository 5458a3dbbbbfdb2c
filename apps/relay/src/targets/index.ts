import { cdeventsMembers, readCdevents } from './cdevents.ts';
import { readDiscord } from './discord.ts';
import { grafanaMembers, readGrafana } from './grafana.ts';
import { readSlack, slackMembers } from './slack.ts';
import { readSmtp, smtpMembers } from './smtp.ts';
import { addressMembers, type Target } from './target.ts';
import type { TargetNode } from './target-node.ts';
import { readTeams } from './teams.ts';
import { readWebhook, webhookMembers } from './webhook.ts';

export interface TargetType {
  /** The members that this type allows in the file, in addition to those of every target. */
  readonly members: readonly string[];
  /** Whether the target is a program, which needs every event. It has no burst limit unless the file sets one. */
  readonly isMachine?: boolean;
  /** Records errors; the result is valid only without errors. */
  read(node: TargetNode): Target | undefined;
}

export const targetTypes: Readonly<Record<string, TargetType>> = {
  slack: { members: slackMembers, read: readSlack },
  teams: { members: addressMembers, read: readTeams },
  discord: { members: addressMembers, read: readDiscord },
  smtp: { members: smtpMembers, read: readSmtp },
  grafana: { members: grafanaMembers, isMachine: true, read: readGrafana },
  cdevents: { members: cdeventsMembers, isMachine: true, read: readCdevents },
  webhook: { members: webhookMembers, isMachine: true, read: readWebhook },
};
