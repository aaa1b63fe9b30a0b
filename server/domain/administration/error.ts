/** A wish of the administrator that cannot be met; the message says why, for people. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError'
}
