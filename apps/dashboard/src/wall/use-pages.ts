import { useEffect, useState } from 'preact/hooks';
import { listen } from '../ui/listen.ts';

const pageMs = 12_000;

/** The current page: turns every 12 s unless halted with the space bar; arrow keys turn it, too. */
export function usePages(count: number): { readonly page: number; readonly isHalted: boolean } {
  const [turned, setTurned] = useState(0);
  const [isHalted, setHalted] = useState(false);
  useEffect(() => {
    if (count < 2 || isHalted) return;
    const timer = setInterval(() => setTurned((before) => before + 1), pageMs);
    return () => clearInterval(timer);
  }, [count, isHalted]);
  useEffect(() => {
    if (count < 2) return;
    const press = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by !== undefined) setTurned((before) => before + by);
      else if (event.key === ' ' && event.target === document.body) setHalted((before) => !before);
      else return;
      event.preventDefault();
    };
    return listen(document, { keydown: press });
  }, [count]);
  return { page: ((turned % count) + count) % count, isHalted };
}
