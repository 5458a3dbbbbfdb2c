import { useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../board/counted.ts';
import { useAddress } from '../ui/app.ts';
import { Grid, type GridProps } from './grid.tsx';
import { steadyOrder } from './steady-order.ts';

/** The grid, whose rows move only when its user asks for other ones, or for their order. A wall has no such user. */
export function SteadyGrid({ rows, ...grid }: GridProps) {
  const { filter, columns, picked, quiet } = useAddress();
  const [asked, setAsked] = useState(0);
  const names = useRef<readonly string[]>([]);
  const wanted = useMemo(() => ({}), [filter, columns, picked, quiet, asked]);
  const stoodFor = useRef(wanted);
  const order = useMemo(
    () => steadyOrder(rows, quiet || stoodFor.current !== wanted ? [] : names.current),
    [rows, quiet, wanted],
  );
  stoodFor.current = wanted;
  names.current = order.rows.map(({ service }) => service);
  return (
    <>
      <Grid {...grid} rows={order.rows} />
      {order.strays > 0 && (
        <div class="strays">
          <button type="button" class="chip" onClick={() => setAsked(asked + 1)}>
            {counted(order.strays, 'row')} would move. <b>Update order</b>
          </button>
        </div>
      )}
    </>
  );
}
