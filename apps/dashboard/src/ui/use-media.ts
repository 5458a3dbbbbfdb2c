import { useEffect, useMemo, useState } from 'preact/hooks';
import { listen } from './listen.ts';

export const phone = '(max-width: 640px)';

export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const [, setMatches] = useState(media.matches);
  useEffect(() => {
    const update = () => setMatches(media.matches);
    update();
    return listen(media, { change: update });
  }, [media]);
  return media.matches;
}

/** The size of the window, in pixels. */
export function useWindowSize(): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight });
  useEffect(() => listen(window, { resize: () => setSize({ width: innerWidth, height: innerHeight }) }), []);
  return size;
}
