/**
 * Does the work again and again, one at a time; the work gives the milliseconds until the next time.
 * @param {() => Promise<number>} work
 * @returns {() => void} asks for the next time to be at once; asking often costs one call more
 */
export function poll(work) {
  let timer = setTimeout(turn);
  let busy = false;
  let asked = false;

  async function turn() {
    busy = true;
    asked = false;
    const waitMs = await work();
    busy = false;
    timer = setTimeout(turn, asked ? 200 : waitMs);
  }

  return () => {
    if (!asked && !busy) {
      clearTimeout(timer);
      timer = setTimeout(turn);
    }
    asked = true;
  };
}
