/** The URL of a run if it is safe to link: absolute and http(s). Anything else, such as `javascript:`, stays text. */
export function runLinkOf(runUrl: string | undefined): string | undefined {
  if (runUrl === undefined || !/^https?:\/\//i.test(runUrl) || !URL.canParse(runUrl)) return undefined;
  const { protocol, href } = new URL(runUrl);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
