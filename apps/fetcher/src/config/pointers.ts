import type { TemplateNames } from '@shiplog/component';

/** A JSON Pointer (RFC 6901) other than the empty one. */
export const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)+$/;

/** Templates whose variables are JSON Pointers into a body. */
export const pointerNames: TemplateNames = {
  isName: (name) => pointerPattern.test(name),
  known: 'JSON Pointers, such as /app/name',
};
