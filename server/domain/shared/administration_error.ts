/** Thrown if a request of an administrator cannot be fulfilled. The message tells people the reason. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError'
}
