/** Why nothing can be written, in one sentence for whoever called the command. */
export class Refusal extends Error {}
