import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { sizes, type WallPlan } from './fit.ts';
import { cutTo, type WidthOf } from './text-widths.ts';
import { labelText, type WallCell, type WallContent, type WallRow } from './wall-content.ts';
import { elsewhereWidth, faceOf, inside, labelWidth } from './wall-needs.ts';

interface TableProps {
  readonly content: WallContent;
  readonly plan: WallPlan;
  readonly page: number;
  readonly widthOf: WidthOf;
}

export function WallTable({ content, plan, page, widthOf }: TableProps) {
  const { columns, rows } = content;
  const { nameWidth, columnWidth } = plan;
  const headRoom = (columnWidth - inside.head) / sizes.small;
  return (
    <table class="wall-table">
      <colgroup>
        <col style={{ width: `${nameWidth}em` }} />
        {plan.columns.map((index) => (
          <col key={index} style={{ width: `${columnWidth}em` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Service</th>
          {plan.columns.map((index) => {
            const { name = '', isLast } = columns[index] ?? {};
            return (
              <th key={name} scope="col" class={isLast ? 'wall-last' : ''} title={name}>
                <bdi>{cutTo(name, headRoom, 'bold', widthOf)}</bdi>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {(plan.pages[page] ?? []).map((index) => {
          const row = rows[index];
          return row && <Row key={row.service} row={row} content={content} plan={plan} widthOf={widthOf} />;
        })}
      </tbody>
    </table>
  );
}

function Row({ row, content, plan, widthOf }: Omit<TableProps, 'page'> & { readonly row: WallRow }) {
  const { columns } = content;
  const shown = new Set(plan.columns);
  const alarms = row.cells.flatMap((cell, index) =>
    cell && !shown.has(index) && cell.tone !== 'ok' && cell.tone !== 'off' ? [{ cell, index }] : [],
  );
  const [worst] = [...alarms].sort(
    (left, right) => Number(right.cell.tone === 'bad') - Number(left.cell.tone === 'bad'),
  );
  const environment = columns[worst?.index ?? -1]?.name ?? '';
  const alarmWidth = worst ? elsewhereWidth(environment, widthOf) : 0;
  return (
    <tr>
      <th scope="row" title={row.service}>
        <span class="row wall-name">
          <bdi>{cutTo(row.service, plan.nameWidth - inside.name - alarmWidth, 'bold', widthOf)}</bdi>
          {worst && (
            <span class={`wall-elsewhere ${worst.cell.tone}`}>
              <span class="unseen">{alarms.map(({ cell }) => cell.sentence).join('; ')}</span>
              <span class="row" aria-hidden="true">
                <Mark shape={worst.cell.shape} />
                <bdi>{cutTo(environment, (alarmWidth - inside.elsewhereMark) / inside.label, 'sans', widthOf)}</bdi>
              </span>
            </span>
          )}
        </span>
      </th>
      {plan.columns.map((index) => (
        <td key={columns[index]?.name} class={columns[index]?.isLast ? 'wall-last' : ''}>
          <Cell cell={row.cells[index]} room={plan.columnWidth - inside.cell} widthOf={widthOf} />
        </td>
      ))}
    </tr>
  );
}

interface CellProps {
  readonly cell: WallCell | undefined;
  readonly room: number;
  readonly widthOf: WidthOf;
}

function Cell({ cell, room, widthOf }: CellProps) {
  if (!cell) return <span class="wall-cell none">–</span>;
  const { tone, shape, version, where, label, sentence } = cell;
  return (
    <span class={`wall-cell ${tone}`} title={version}>
      <span class="unseen">{sentence}</span>
      <span class="row wall-inside" aria-hidden="true">
        <Mark shape={shape} />
        <bdi class="wall-version">{cutTo(version, room - labelWidth(cell, widthOf), faceOf(cell), widthOf)}</bdi>
        {labelText(cell) !== '' && (
          <span class="push wall-label">
            <bdi>{where}</bdi> {label}
          </span>
        )}
      </span>
    </span>
  );
}
