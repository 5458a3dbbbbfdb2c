import type { HeatmapReport } from '@shiplog/contract';
import { numberText } from '../figures.ts';
import { RowsLink, windowRows } from '../links.tsx';
import type { Chart } from './chart.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** Indexed by the service's weekday number: 0 is Sunday. */
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const weekOrder = [1, 2, 3, 4, 5, 6, 0];

export const heatmapChart: Chart<HeatmapReport> = {
  title: 'Hours of the week',
  says: 'Events of any status by UTC weekday and hour; a larger square means more events. A square combines several days, so it has no link.',
  none: ({ cells }) => (cells.length > 0 ? undefined : 'No events in this period.'),
  csv: ({ cells }) => {
    const table = heatTable(cells);
    return {
      head: ['Hour (UTC)', ...weekOrder.map(weekdayLabel)],
      rows: hours.map((hour) => [hourLabel(hour), ...weekOrder.map((day) => table[day]?.[hour] ?? 0)]),
    };
  },
  draw: (report) => <Heat {...report} />,
};

function Heat({ window, cells }: HeatmapReport) {
  const table = heatTable(cells);
  const greatest = Math.max(1, ...table.flat());
  return (
    <>
      <p class="wrap apart fine">
        <span class="soft">at most {numberText(greatest)} in an hour</span>
        <RowsLink to={windowRows(window)}>All events</RowsLink>
      </p>
      <table class="heat tiny">
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th key={hour} scope="col">
                <span class="unseen">{hourLabel(hour)}</span>
                <span aria-hidden="true">{hour % 6 === 0 && hour}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekOrder.map((day) => (
            <tr key={day}>
              <th scope="row">{weekdayLabel(day)}</th>
              {hours.map((hour) => {
                const count = table[day]?.[hour] ?? 0;
                const side = count === 0 ? 0 : Math.max(3, 12 * Math.sqrt(count / greatest));
                return (
                  <td key={hour} title={`${weekdayLabel(day)} ${hourLabel(hour)} UTC: ${numberText(count)}`}>
                    <span class="unseen">{count}</span>
                    <i style={{ width: `${side}px`, height: `${side}px` }} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function hourLabel(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function weekdayLabel(day: number): string {
  return weekdays[day] ?? '';
}

/** Counts by weekday (0 is Sunday) and hour; the service omits zeros (aggregation rule 4). */
export function heatTable(cells: HeatmapReport['cells']): number[][] {
  const table = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  for (const { day_of_week, hour, count } of cells) {
    const day = table[day_of_week];
    if (day && hour in day) day[hour] = count;
  }
  return table;
}
