/** The modules that only loaded from another address, by the address that failed. */
const recovered = new Map<string, unknown>();

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
    const module =
      recovered.get(address) ?? (await import(/* @vite-ignore */ `${address}?attempt=${performance.now()}`));
    recovered.set(address, module);
    return module as Module;
  }
}
