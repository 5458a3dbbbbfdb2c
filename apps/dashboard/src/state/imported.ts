/**
 * Imports a module. Browsers remember an address that failed, so after a failure the module is requested once more from
 * another address of the same file.
 */
export async function imported<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const address = /https?:\S+?\.js/.exec(String(error))?.[0];
    if (address === undefined) throw error;
    return import(/* @vite-ignore */ `${address}?attempt=${performance.now()}`);
  }
}
