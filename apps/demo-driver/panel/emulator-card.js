import { call } from './shared/api.js';
import { onPress, onSwitch, showSwitch } from './shared/controls.js';
import { button, cut, el, elementById, fill, textOf } from './shared/dom.js';
import { driverPaths as paths } from './shared/paths.js';

/** The first members of its status: what it holds (CI emulator §5.1, §9). */
const facts = ['dataset', 'repos', 'deployments', 'statuses', 'workflows', 'environments'];

/**
 * The CI emulator behind the driver.
 * @param {Driver} driver
 */
export function emulatorCard({ post }) {
  const emission = button('emulator-switch');

  async function send(/** @type {string} */ path, /** @type {object | undefined} */ body) {
    await post(path, elementById('emulator-fault'), body);
    await refresh();
  }
  onPress(button('emulator-seed'), () => send(paths.seedEmulator, undefined));
  onPress(button('emulator-clear'), () => send(paths.clearEmulator, undefined));
  onSwitch(emission, (body) => send(paths.switchEmulatorEmission, body));

  let asked = 0;
  async function refresh() {
    asked += 1;
    const nth = asked;
    const [status, flag] = await Promise.all([call(paths.getEmulatorStatus), call(paths.getEmulatorEmission)]);
    // Asked before the last press, an answer may come after it.
    if (nth !== asked) return;
    if (flag.ok) showSwitch(emission, flag.value.emitting === true);
    if (!status.ok) return;
    const text = (/** @type {string} */ name) => textOf(status.value, name) || 'none';
    fill(
      elementById('emulator-facts'),
      ...facts.flatMap((name) => [el('dt', {}, name), el('dd', {}, cut(text(name)))]),
    );
  }

  return {
    /** @param {boolean} up */
    async show(up) {
      elementById('emulator').hidden = !up;
      if (up) await refresh();
    },
  };
}
