/** An invalid text in the configuration. The message is a clause that follows the name of its position. */
export class Mistake extends Error {}
