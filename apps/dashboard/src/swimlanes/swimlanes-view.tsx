import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { chosenService } from './chosen-service.ts';
import { ServiceLanes } from './service-lanes.tsx';
import { ServicePicker } from './service-picker.tsx';
import '../style/swimlanes.css';

/** How the versions of one service are promoted from environment to environment. */
export function SwimlanesView() {
  const board = useStore(useApp().connection.board);
  const { filter } = useAddress();
  const service = chosenService(filter, board);
  if (service !== undefined) return <ServiceLanes key={service} service={service} />;
  if (!board) return <p class="waiting">Asking for the services …</p>;
  if (board.rows.size > 0) return <ServicePicker board={board} filter={filter} />;
  return (
    <Empty title="Nothing is deployed yet">
      <p>Promotions appear here when pipelines post deployment events; the board shows the command to try.</p>
    </Empty>
  );
}
