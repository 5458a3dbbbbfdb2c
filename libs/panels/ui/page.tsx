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
  /** What the head shows next to the name. */
  readonly head: ComponentChildren;
  /** Whether the program answers, and how it is started where it doesn't. */
  readonly isGone: boolean;
  readonly command: string;
  /** What a program that is gone is called in a sentence. */
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
  /** What stands at the end of the title's row. */
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
