import { type HoldRequest, holdKinds } from '@shiplog/contract';
import { useState } from 'preact/hooks';
import { useApp, useBoard, useNow } from '../ui/app.ts';
import { useAct, useMayAct } from './act.ts';
import { holdLine } from './command-line.ts';
import { fieldTime, fieldZone, globsIn, instantIn, NamesField, TextField, weekendOf } from './fields.tsx';
import { FormFoot } from './form-foot.tsx';

const hourMs = 3_600_000;
const kindWords = { freeze: 'Freeze', lock: 'Lock', bad: 'Bad version' } as const;
const kindHints = {
  freeze: 'Nothing may be deployed during this time: a holiday, a data-centre move.',
  lock: 'Someone needs the environment: a load test, an investigation.',
  bad: 'This version must not be deployed again.',
} as const;
const doneWords = { freeze: 'Freeze', lock: 'Lock', bad: 'Mark as bad' } as const;
/** Preset ends, counted from the start. */
const spans = [
  ['2 h', 2],
  ['1 day', 24],
  ['3 days', 72],
] as const;

/** The initial values of the form for a new hold. */
export interface HoldDraft extends Partial<Pick<HoldRequest, 'kind'>> {
  readonly services?: string;
  readonly environments?: string;
  readonly version?: string;
}

interface HoldFormProps {
  readonly draft: HoldDraft;
  readonly onMade: () => void;
}

/** Creates a hold, or shows the command that does if the reader may not. */
export function HoldForm({ draft, onMade }: HoldFormProps) {
  const { client } = useApp().connection;
  const nowMs = useNow();
  const board = useBoard();
  const known = [...(board?.rows.keys() ?? [])];
  const mayAct = useMayAct();
  const { isBusy, failure, act } = useAct();
  const [kind, setKind] = useState(draft.kind ?? 'freeze');
  const [services, setServices] = useState(draft.services ?? '*');
  const [environments, setEnvironments] = useState(draft.environments ?? '');
  const [version, setVersion] = useState(draft.version ?? '');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [except, setExcept] = useState('');
  const body: HoldRequest = {
    kind,
    services: globsIn(services),
    environments: globsIn(environments),
    reason: reason.trim(),
    ...(kind === 'bad' && { version: version.trim() }),
    ...(instantIn(from) !== undefined && { from: instantIn(from) as string }),
    ...(instantIn(until) !== undefined && { until: instantIn(until) as string }),
  };
  const isWhole = body.services.length > 0 && body.environments.length > 0 && body.reason !== '';
  const isComplete = isWhole && (kind === 'bad' ? body.version !== '' : body.until !== undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    const make = async () => {
      const { body: hold } = await client.makeHold({ body });
      const excepted = kind === 'bad' || hold.until === null ? [] : globsIn(except);
      if (excepted.length === 0 || hold.until === null) return;
      const exception = { services: excepted, until: hold.until, reason: hold.reason };
      await client.exceptHold({ params: { id: hold.id }, body: exception });
    };
    if (await act(make)) onMade();
  };
  const beginMs = Date.parse(instantIn(from) ?? new Date(nowMs).toISOString());
  return (
    <form class="stack hold-form" aria-label="New hold" onSubmit={submit}>
      <fieldset class="row wrap">
        <legend class="unseen">Kind</legend>
        {holdKinds.map((each) => (
          <label key={each}>
            <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} /> {kindWords[each]}
          </label>
        ))}
        <span class="soft fine full">{kindHints[kind]}</span>
      </fieldset>
      <NamesField
        label="Environments"
        value={environments}
        onInput={setEnvironments}
        names={board?.environments ?? []}
        isRequired
        hint="Names or globs, such as prod-*, separated by commas"
      />
      <NamesField
        label="Services"
        value={services}
        onInput={setServices}
        names={known}
        isRequired
        hint="* stands for all services"
      />
      {kind !== 'bad' && mayAct && (
        <NamesField
          label="Except"
          value={except}
          onInput={setExcept}
          names={known}
          hint="Services that may be deployed, if any"
        />
      )}
      {kind === 'bad' && <TextField label="Version" value={version} onInput={setVersion} isRequired />}
      <TextField
        label="From"
        isTime
        value={from}
        onInput={setFrom}
        hint={`Empty = now. Times are in ${fieldZone()}.`}
      />
      <TextField
        label="Until"
        isTime
        value={until}
        onInput={setUntil}
        isRequired={kind !== 'bad'}
        {...(kind === 'bad' && { hint: 'Empty = no end' })}
      >
        <span class="row">
          {spans.map(([name, hours]) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-label={`Until ${name} later`}
              onClick={() => setUntil(fieldTime(beginMs + hours * hourMs))}
            >
              {name}
            </button>
          ))}
          <button
            type="button"
            class="chip"
            onClick={() => {
              const weekend = weekendOf(nowMs);
              setFrom(weekend.from);
              setUntil(weekend.until);
            }}
          >
            Weekend
          </button>
        </span>
      </TextField>
      <TextField label="Reason" value={reason} onInput={setReason} isRequired />
      <FormFoot {...{ failure, isBusy }} submit={doneWords[kind]} command={isComplete ? holdLine(body) : undefined} />
    </form>
  );
}
