/** "1 deployment", "3 deployments". */
export function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
