/**
 * An invalid value in the configuration. The message is a clause that follows the position, such as "must be a number".
 */
export class Mistake extends Error {}
