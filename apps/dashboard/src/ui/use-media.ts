import { useEffect, useMemo, useState } from 'preact/hooks';

export const phone = '(max-width: 640px)';

export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const [, setMatches] = useState(media.matches);
  useEffect(() => {
    const update = () => setMatches(media.matches);
    update();
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [media]);
  return media.matches;
}
