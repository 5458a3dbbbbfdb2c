const answerMs = 10_000;

/** Rejects with this message if the promise is not settled within ten seconds. */
export async function inTime<Value>(promise: Promise<Value>, late: () => string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late())), answerMs);
  });
  return Promise.race([promise, bound]).finally(() => clearTimeout(timer));
}
