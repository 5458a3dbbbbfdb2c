import { useEffect, useMemo, useState } from 'preact/hooks';

/** A screen that is held in one hand. */
export const phone = '(max-width: 640px)';

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const [, setMatches] = useState(media.matches);
  useEffect(() => {
    const look = () => setMatches(media.matches);
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [media]);
  return media.matches;
}
