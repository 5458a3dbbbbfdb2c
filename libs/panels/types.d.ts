import type * as marks from './files/marks.js';

/** The types that the dashboard and the panels share. */
declare global {
  type Shape = keyof typeof marks.shapes;
  /** How a state looks and reads; the shape's name is also a class, which colours `ok`, `run` and `bad`. */
  type Look = readonly [shape: Shape, label: string];
}
