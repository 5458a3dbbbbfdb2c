import { call } from './shared/api.js';
import { onPress, onSwitch, showSwitch } from './shared/controls.js';
import { button, cut, el, fill, place } from './shared/dom.js';

/**
 * The CI emulator behind the driver. Its answers are not specified: the first members are shown as they are.
 * @param {Driver} driver
 */
export function emulatorCard({ post }) {
  const emission = button('emulator-switch');

  async function send(/** @type {string} */ path, /** @type {object | undefined} */ body) {
    await post(`ci/${path}`, place('emulator-fault'), body);
    await refresh();
  }
  onPress(button('emulator-seed'), () => send('seed', undefined));
  onPress(button('emulator-clear'), () => send('clear', undefined));
  onSwitch(emission, (body) => send('emit', body));

  async function refresh() {
    const [status, flag] = await Promise.all([call('ci/status'), call('ci/emit')]);
    if (flag.ok) showSwitch(emission, flag.value.emitting ?? flag.value.enabled);
    if (!status.ok) return;
    const facts = Object.entries(status.value).slice(0, 6);
    fill(
      place('emulator-facts'),
      ...facts.flatMap(([name, value]) => [
        el('dt', {}, cut(name.replaceAll('_', ' '))),
        el('dd', {}, cut(typeof value === 'string' ? value : JSON.stringify(value))),
      ]),
    );
  }

  return {
    /** @param {boolean} up */
    async show(up) {
      place('emulator').hidden = !up;
      if (up) await refresh();
    },
  };
}
