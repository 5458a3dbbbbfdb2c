/** A glob over paths as a pattern: `*` is any run without a slash, `**` any run, `?` one sign. */
export function globPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*|\?)/).map((part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[.+^${}()|[\]\\/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
