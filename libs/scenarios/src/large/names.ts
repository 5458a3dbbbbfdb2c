import { limits } from '@shiplog/contract';

/** Names that break layouts, sorting, escaping or comparisons. */
const peculiar: readonly string[] = [
  // One character.
  'a',
  'b',
  'z',
  '0',
  'λ',
  '界',
  // Other scripts, combining marks, and letters that look alike.
  'πληρωμές-api',
  'αποθήκη',
  'заказы-api',
  'раyments-api',
  '支払い-サービス',
  '订单服务',
  '결제-서비스',
  'नमस्ते-सेवा',
  'ไทย-บริการ',
  'ＦＵＬＬＷＩＤＴＨ-api',
  'straße',
  'Ĳsselmeer-ﬁnance',
  'caf\u00e9',
  'cafe\u0301',
  'Z\u0336\u0322\u0358a\u0335\u0301l\u0337\u0302g\u0338\u0308o\u0335\u030b',
  '🚀-launcher',
  '🏳️‍🌈',
  '👩‍👩‍👧‍👦-family-accounts',
  '🇪🇺-gateway',
  // Right to left, alone and mixed.
  'خدمة-الدفع',
  'שירות-תשלומים',
  'orders-طلبات-v2',
  'מלאי api-gateway (eu)',
  'invoice\u202egnp.exe',
  // Markup, formulas, paths and words of programming languages.
  '<b>bold</b>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '&lt;escaped&gt; &amp;',
  '{{ service }}',
  '#{jndi:ldap://x}',
  "Robert'); DROP TABLE services;--",
  '=SUM(A1:A9)',
  '+1-800-DEPLOY',
  '-rf',
  '@everyone',
  '#1',
  '*',
  '50%2Foff',
  '../../etc/passwd',
  'C:\\deploy\\api',
  'k8s:payments/api?replicas=3#blue',
  'https://example.com/service',
  'javascript:void(0)',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  // White space and characters without a width.
  ' leading',
  'trailing ',
  'two  spaces',
  'no\u00a0break',
  'zero\u200bwidth',
  'tab\tseparated',
  'line\nbreak',
  // Alike except for case and separators.
  'Payments-API',
  'payments_api',
  'payments-api',
  // Long, with and without places to break, up to the limit.
  long('customer-loyalty-points-settlement-and-reconciliation-batch-worker-', 100),
  long('enterprise resource planning connector for the warehouse ', limits.service),
  long('unbreakable', limits.service),
  long('長', limits.service),
  long('🧱', 100),
  long('طويل-', 100),
];

const monorepoPrefix = 'acme-platform-monorepo-';
const packages = ['accounts', 'audit', 'billing', 'catalog', 'checkout', 'notifications'];
const parts = ['api', 'cron', 'db-migrations', 'docs', 'e2e', 'graphql', 'proxy', 'sdk', 'web', 'worker'];
/** Sixty services with a common prefix. */
const monorepo = packages.flatMap((name) => parts.map((part) => `${monorepoPrefix}${name}-${part}`));

const domains = ['payments', 'orders', 'identity', 'search', 'shipping', 'inventory', 'pricing', 'media', 'risk'];
const kinds = ['api', 'api-gateway', 'api-gateway-canary', 'worker', 'web', 'event-consumer', 'reporting-export'];
const regions = ['eu-central', 'eu-west', 'us-east', 'us-east-2', 'ap-southeast'];
/** Services that differ only in the last part of their names. */
const regional = regions.flatMap((region) =>
  kinds.flatMap((kind) => domains.map((domain) => `${domain}-${kind}-${region}`)),
);

/** All service names that a dataset can have, those of every kind first. */
export const serviceNames: readonly string[] = [...peculiar, ...monorepo, ...regional];

/** The stages that most services pass, in order. */
export const mainStages = ['dev', 'test', 'staging'] as const;
export const testStages = ['qa-1', 'qa-2', 'qa-3', 'qa-4'] as const;
export const customerStages = [
  'uat-acme',
  'uat-globex',
  'uat-initech',
  'uat-日本郵便',
  'uat-بنك',
  long('uat-international-consolidated-holdings-and-partners-', limits.environment),
] as const;
export const liveStages = ['prod-eu', 'prod-us', 'dr'] as const;
export const previews = [
  'preview-7',
  'preview-1184',
  'preview-1201',
  'preview-1202',
  'preview-1207-feature/checkout-redesign',
  'preview-99999',
  'preview-<b>',
] as const;

/** Actors: bots and people; `null` posts none. */
export const actors: readonly (string | null)[] = [
  'deploy-bot',
  'github-actions[bot]',
  'renovate[bot]',
  'svc_jenkins_prod@corp.example.com',
  'alice',
  'Ines García-Núñez',
  'Dvořák, Antonín',
  'Σοφία Παπαδοπούλου',
  'Мария Иванова',
  '山田 太郎',
  'محمد الأحمد',
  'רחל לוי',
  'Nguyễn Thị Hạnh',
  '👩‍🚀 on call',
  '<i>italic</i>',
  long('Hubert Blaine Wolfeschlegelsteinhausenbergerdorff Sr. ', limits.actor),
  '',
  null,
];

/** Reporters; `null` posts without the header. */
export const reporters: readonly (string | null)[] = [
  'dashboard-fetcher/github-actions',
  'dashboard-fetcher/gitlab-ci',
  'jenkins/prod-controller-02',
  'deploy-action/2.4.1',
  'argo',
  long('azure-pipelines/release-agents/self-hosted-pool-', limits.progressReporter),
  null,
];

/** The text repeated and cut to a number of code points, without white space at its end. */
function long(text: string, points: number): string {
  return [...text.repeat(points)].slice(0, points).join('').replace(/\s$/, '!');
}
