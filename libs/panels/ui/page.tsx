import '../files/tokens.css';
import '../files/base.css';
import '../files/style.css';
import '../files/controls.css';
import '../files/feeds.css';
import type { ComponentChildren } from 'preact';
import markUrl from '../files/mark.svg';
import { Announcer, Copyable } from './controls.tsx';
import { Mark } from './mark.tsx';

export interface PageProps {
  readonly name: string;
  readonly skip: { readonly to: string; readonly text: string };
  /** The content of the page's head, next to the name. */
  readonly head: ComponentChildren;
  /** Whether the program has stopped responding. If so, the page shows `command`, which starts the program. */
  readonly isGone: boolean;
  readonly command: string;
  /** The program name as used in messages. */
  readonly program: string;
  readonly children: ComponentChildren;
}

/** The frame of a panel. */
export function Page({ name, skip, head, isGone, command, program, children }: PageProps) {
  return (
    <>
      <a class="skip" href={skip.to}>
        {skip.text}
      </a>
      <header>
        <h1 class="brand">
          <img src={markUrl} alt="" /> Shiplog <span>{name}</span>
        </h1>
        {head}
      </header>
      <Announcer />
      <main>
        <div class="notice filled bad" id="gone" hidden={!isGone}>
          <Mark shape="bad" />
          <p>The {program} isn’t answering. Start it; this page reconnects automatically:</p>
          <Copyable command={command} />
        </div>
        {children}
      </main>
    </>
  );
}

export interface CardProps {
  readonly title: string;
  readonly id?: string;
  readonly class?: string;
  readonly inert?: boolean;
  /** The content at the end of the title's row. */
  readonly side?: ComponentChildren;
  readonly hidden?: boolean;
  readonly children: ComponentChildren;
}

export function Card({ title, class: name = '', side, children, ...attributes }: CardProps) {
  return (
    <section class={`card ${name}`} aria-label={title} {...attributes}>
      <div class="head">
        <h2>{title}</h2>
        {side}
      </div>
      {children}
    </section>
  );
}
