import { toggled } from '../board/toggled.ts';
import { useStore } from '../state/store.ts';
import { useApp } from './app.ts';

export function Star({ service }: { readonly service: string }) {
  const { preferences } = useApp();
  const { favourites } = useStore(preferences);
  const isMine = favourites.services.includes(service);
  const services = toggled(favourites.services, service);
  return (
    <button
      type="button"
      class="star soft bare"
      aria-pressed={isMine}
      aria-label={`${service} is mine`}
      title={isMine ? 'Yours' : 'Mark as yours'}
      onClick={() => preferences.prefer({ favourites: { ...favourites, services } })}
    >
      {isMine ? '★' : '☆'}
    </button>
  );
}
