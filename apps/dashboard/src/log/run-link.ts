/** The address of a run if it may be linked to: absolute, http(s). Anything else, such as `javascript:`, stays text. */
export function runLinkOf(runUrl: string | undefined): string | undefined {
  if (runUrl === undefined || !/^https?:\/\//i.test(runUrl) || !URL.canParse(runUrl)) return undefined;
  const { protocol, href } = new URL(runUrl);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
