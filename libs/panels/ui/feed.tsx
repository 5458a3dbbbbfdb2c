import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { statusLook } from '../files/marks.js';
import { type Fields, fieldsOf, fieldText } from './api.ts';
import { announce, Button } from './controls.tsx';
import { Mark } from './mark.tsx';
import { Card } from './page.tsx';
import { Age, Cut, plain } from './text.tsx';

export interface FeedOptions {
  readonly max: number;
  /** Whether to show an item as a row. Other items are ignored. */
  isRow(item: Fields): boolean;
  /** The local storage key of the rows, which survive a reload. */
  readonly key?: string;
  /** Items with equal names share one row. The row shows the newest item; `times` is the number of items. */
  nameOf?(item: Fields): unknown;
}

interface Row {
  readonly id: number;
  readonly item: Fields;
}

export interface Feed {
  readonly rows: readonly Row[];
  add(item: Fields): void;
  drop(isGone: (item: Fields) => boolean): void;
}

/** A list of the newest items. */
export function useFeed(options: FeedOptions): Feed {
  const [rows, setRows] = useState<readonly Row[]>(() => stored(options));
  const change = (next: (rows: readonly Row[]) => readonly Row[]) =>
    setRows((before) => {
      const after = next(before);
      store(options, after);
      return after;
    });
  return {
    rows,
    add: (item) => change((before) => added(before, item, options)),
    drop: (isGone) => change((before) => before.filter(({ item }) => !isGone(item))),
  };
}

function added(rows: readonly Row[], item: Fields, { max, isRow, nameOf = () => '' }: FeedOptions): readonly Row[] {
  if (!isRow(fieldsOf(item))) return rows;
  const name = nameOf(item);
  const before = rows.find((row) => name && nameOf(row.item) === name);
  const next = before ? { ...item, times: Number(before.item.times ?? 1) + 1 } : item;
  const id = Math.max(0, ...rows.map((row) => row.id)) + 1;
  return [{ id, item: next }, ...rows.filter((row) => row !== before)].slice(0, max);
}

function stored(options: FeedOptions): readonly Row[] {
  try {
    const items: unknown[] = JSON.parse(localStorage.getItem(options.key ?? '') ?? '[]');
    return items.slice(0, options.max).reduceRight<readonly Row[]>((rows, item) => {
      return added(rows, fieldsOf(item), options);
    }, []);
  } catch {
    // Treat unreadable storage as empty.
    return [];
  }
}

function store({ key }: FeedOptions, rows: readonly Row[]): void {
  try {
    if (key) localStorage.setItem(key, JSON.stringify(rows.map(({ item }) => item)));
  } catch {
    // If storage is unavailable or full, the rows don't survive a reload.
  }
}

export interface FeedCardProps {
  readonly id: string;
  readonly title: string;
  readonly feed: Feed;
  render(item: Fields): ComponentChildren;
  /** A note above the rows. */
  readonly note?: ComponentChildren;
  /** Shown while the feed has no rows. */
  readonly empty: ComponentChildren;
}

export function FeedCard({ id, title, feed, render, note, empty }: FeedCardProps) {
  const clear = () => {
    feed.drop(() => true);
    announce('The list is empty.');
  };
  return (
    <Card
      title={title}
      class="feed"
      side={
        <Button class="quiet" id={`${id}-clear`} onPress={clear}>
          Clear list
        </Button>
      }
    >
      {note}
      <ul class="rows" id={id}>
        {feed.rows.map((row) => (
          <FeedRow key={row.id} item={row.item} render={render} />
        ))}
      </ul>
      <div class="empty" id={`${id}-empty`} hidden={feed.rows.length > 0}>
        {empty}
      </div>
    </Card>
  );
}

function FeedRow({ item, render }: { readonly item: Fields; render(item: Fields): ComponentChildren }) {
  return <>{render(item)}</>;
}

export function isDeployment(event: Fields): boolean {
  return Boolean(event.service) && fieldText(event, 'status') !== '';
}

/** A deployment event: the version first, then the slot and its status. */
export function DeploymentRow({ event, source = '' }: { readonly event: Fields; readonly source?: string }) {
  const version = fieldText(event, 'version');
  const actor = plain(fieldText(event, 'actor'));
  const [shape, label] = statusLook(fieldText(event, 'status'));
  const service = plain(fieldText(event, 'service'));
  const environment = plain(fieldText(event, 'environment'));
  const slot = `${service} in ${environment}`;
  const address = fieldText(event, 'run_url', 2048);
  return (
    <li class={`row filled ${shape}`}>
      <Mark shape={shape} />
      <Cut text={version || 'no version'} class={version ? 'version' : 'soft'} />
      <span class="text clamp" title={slot}>
        <bdi class="what">{service}</bdi> in <bdi>{environment}</bdi>
        <bdi class="soft">{` ${plain(label)}${actor && ` by ${actor}`}`}</bdi>
      </span>
      <span class="side soft">
        {source}
        {/* Only http(s) addresses are linked: another scheme may be `javascript:`. */}
        {/^https?:\/\//i.test(address) && (
          <a
            href={address}
            target="_blank"
            rel="noreferrer"
            aria-label={`Run ${plain(fieldText(event, 'run_number'))} of ${slot}`}
          >
            Run
          </a>
        )}
      </span>
      <Age at={event.happened_at} />
    </li>
  );
}
