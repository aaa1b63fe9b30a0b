/** There is no agent with this id in the workspace. */
export class UnknownAgent extends Error {
  override readonly name = 'UnknownAgent'
}
