import { pluralize } from '@shiplog/text';
import { teamsOf } from '../board/ownership.ts';
import { toggled } from '../board/toggled.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Menu } from '../ui/menu.tsx';

export function TeamMenu() {
  const { navigation, preferences, ownership } = useApp();
  const { filter } = useAddress();
  const known = useStore(ownership);
  const { favourites } = known;
  const teams = teamsOf(known);
  const marked = favourites.services.length + favourites.teams.length;
  if (teams.length === 0 && marked === 0 && filter.teams.length === 0 && !filter.mine) return null;
  const toggle = (team: string) => navigation.narrow({ teams: toggled(filter.teams, team) });
  const mark = (team: string) =>
    preferences.prefer({ favourites: { ...favourites, teams: toggled(favourites.teams, team) } });
  return (
    <Menu
      title={
        <>
          Team <b class="chip-detail cut">{filter.mine ? 'mine' : filter.teams.join(', ') || `All ${teams.length}`}</b>
        </>
      }
    >
      <label>
        <input
          type="checkbox"
          checked={filter.mine}
          disabled={marked === 0 && !filter.mine}
          onChange={() => navigation.narrow({ mine: !filter.mine })}
        />{' '}
        only mine
      </label>
      <p class="small">
        {marked === 0
          ? 'Mark teams here and services in their rows with ☆ to make them yours.'
          : `Marked: ${pluralize(favourites.teams.length, 'team')}, ${pluralize(favourites.services.length, 'service')}.`}
      </p>
      <ul class="columns">
        {[...new Set([...teams, ...filter.teams])].map((team) => (
          <li key={team}>
            <label>
              <input type="checkbox" checked={filter.teams.includes(team)} onChange={() => toggle(team)} />{' '}
              <bdi>{team}</bdi>
            </label>
            <button
              type="button"
              class="star soft bare"
              aria-pressed={favourites.teams.includes(team)}
              aria-label={`Team ${team} is mine`}
              onClick={() => mark(team)}
            >
              {favourites.teams.includes(team) ? '★' : '☆'}
            </button>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
