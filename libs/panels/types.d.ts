import type * as marks from './files/marks.js';

/** The types that the dashboard and the panels share. */
declare global {
  type Shape = keyof typeof marks.shapes;
  /** The shape and label of a state. The name of the shape is also a class, which colours `ok`, `run` and `bad`. */
  type Look = readonly [shape: Shape, label: string];
}
