/** Where a run may be linked to: an absolute http(s) address. Anything else, `javascript:` above all, stands as text. */
export function runLinkOf(runUrl: string | undefined): string | undefined {
  if (runUrl === undefined || !/^https?:\/\//i.test(runUrl) || !URL.canParse(runUrl)) return undefined;
  const { protocol, href } = new URL(runUrl);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
