import type * as marks from './files/marks.js';

/** The types that the dashboard and the panels share. */
declare global {
  type Shape = keyof typeof marks.shapes;
  /**
   * The shape and label of a state. The shape name is also a CSS class, which sets the colour of `ok`, `run` and `bad`.
   */
  type Look = readonly [shape: Shape, label: string];
}
