/** Thrown for the id of an agent that the workspace does not have. */
export class UnknownAgent extends Error {
  override readonly name = 'UnknownAgent'
}
