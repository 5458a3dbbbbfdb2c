import { call, type Fields, fieldText } from '@shiplog/panels/ui/api.ts';
import { Button, Fault, Switch } from '@shiplog/panels/ui/controls.tsx';
import { Card } from '@shiplog/panels/ui/page.tsx';
import { driverPaths as paths } from '@shiplog/panels/ui/paths.ts';
import { Cut } from '@shiplog/panels/ui/text.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Driver } from './driver.ts';

/** The first members of the emulator's status: its contents (CI emulator §5.1, §9). */
const facts = ['dataset', 'repos', 'deployments', 'statuses', 'workflows', 'environments'];

interface EmulatorCardProps {
  readonly driver: Driver;
  readonly isUp: boolean;
  /** Incremented with each poll of the page. */
  readonly turn: number;
}

/** The CI emulator behind the driver. */
export function EmulatorCard({ driver, isUp, turn }: EmulatorCardProps) {
  const [status, setStatus] = useState<Fields>();
  const [isOn, setOn] = useState<boolean>();
  const [problem, setProblem] = useState('');
  const latest = useRef(0);
  const refresh = async () => {
    latest.current += 1;
    const own = latest.current;
    const [reply, emission] = await Promise.all([call(paths.getEmulatorStatus), call(paths.getEmulatorEmission)]);
    // A response to an earlier request may arrive after the button was pressed.
    if (own !== latest.current) return;
    if (emission.ok) setOn(emission.value.emitting === true);
    if (reply.ok) setStatus(reply.value);
  };
  useEffect(() => {
    if (isUp) void refresh();
  }, [isUp, turn]);
  const send = async (path: string, body?: object) => {
    await driver.post(path, setProblem, body);
    await refresh();
  };
  const disabled = driver.isBlocked;
  return (
    <Card
      title="CI emulator"
      id="emulator"
      class="gated"
      hidden={!isUp}
      inert={disabled}
      side={
        <Switch
          id="emulator-switch"
          label="Emission of the CI emulator"
          isOn={isOn}
          disabled={disabled}
          turn={(body) => send(paths.switchEmulatorEmission, body)}
        />
      }
    >
      <dl class="facts" id="emulator-facts">
        {status &&
          facts.flatMap((name) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}-value`}>
              <Cut text={fieldText(status, name) || 'none'} />
            </dd>,
          ])}
      </dl>
      <div class="actions">
        <Button id="emulator-seed" disabled={disabled} onPress={() => send(paths.seedEmulator)}>
          Seed
        </Button>
        <Button id="emulator-clear" disabled={disabled} onPress={() => send(paths.clearEmulator)}>
          Clear
        </Button>
      </div>
      <Fault id="emulator-fault" sentence={problem} />
    </Card>
  );
}
