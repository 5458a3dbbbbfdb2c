/** A text of the configuration that cannot be taken. The message is a clause that follows the name of its place. */
export class Mistake extends Error {}
