import { addressMembers } from './address-entry.ts';
import { cdeventsMembers, readCdevents } from './cdevents.ts';
import { readDiscord } from './discord.ts';
import { grafanaMembers, readGrafana } from './grafana.ts';
import { readSlack, slackMembers } from './slack.ts';
import { readSmtp, smtpMembers } from './smtp.ts';
import type { TargetEntry } from './target.ts';
import type { TargetNode } from './target-node.ts';
import { readTeams } from './teams.ts';
import { readWebhook, webhookMembers } from './webhook.ts';

export interface TargetType {
  /** What a target of this type may have in the file, beside what all of them have. */
  readonly members: readonly string[];
  /** Programs read it, which want each event: it has no burst unless the file gives it one. */
  readonly isMachine?: boolean;
  /** Notes what is wrong; what it gives counts only where nothing is. */
  read(node: TargetNode): TargetEntry | undefined;
}

/** A further type is one file, named here. */
export const targetTypes: Readonly<Record<string, TargetType>> = {
  slack: { members: slackMembers, read: readSlack },
  teams: { members: addressMembers, read: readTeams },
  discord: { members: addressMembers, read: readDiscord },
  smtp: { members: smtpMembers, read: readSmtp },
  grafana: { members: grafanaMembers, isMachine: true, read: readGrafana },
  cdevents: { members: cdeventsMembers, isMachine: true, read: readCdevents },
  webhook: { members: webhookMembers, isMachine: true, read: readWebhook },
};
