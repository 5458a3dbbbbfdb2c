import { call } from './shared/api.js';
import { onPress, onSwitch, showSwitch } from './shared/controls.js';
import { button, cut, el, elementById, fill } from './shared/dom.js';
import { driverPaths as paths } from './shared/paths.js';

/**
 * The CI emulator behind the driver. Its answers are not specified: the first members are shown, part by part.
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

  async function refresh() {
    const [status, flag] = await Promise.all([call(paths.getEmulatorStatus), call(paths.getEmulatorEmission)]);
    if (flag.ok) showSwitch(emission, flag.value.emitting ?? flag.value.enabled);
    if (!status.ok) return;
    const facts = parts('', status.value).slice(0, 12);
    fill(
      elementById('emulator-facts'),
      ...facts.flatMap(([name, value]) => [el('dt', {}, cut(name.replaceAll('_', ' '))), el('dd', {}, cut(value))]),
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

/**
 * A value by its parts, each with the names that lead to it.
 * @param {string} name
 * @param {unknown} value
 * @returns {[name: string, value: string][]}
 */
function parts(name, value, depth = 0) {
  if (typeof value !== 'object') return [[name, String(value)]];
  const members = Object.entries(value ?? {});
  if (members.length === 0) return [[name, 'none']];
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item !== 'object')) return [[name, value.join(', ')]];
  if (isList || depth > 2) return [[name, `${members.length} ${members.length === 1 ? 'entry' : 'entries'}`]];
  return members.flatMap(([key, member]) => parts(`${name} ${key}`.trim(), member, depth + 1));
}
