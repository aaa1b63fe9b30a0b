/** A request of the administrator that cannot be fulfilled. The message gives the reason for people. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError'
}
