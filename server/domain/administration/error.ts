/** A wish of the administrator that cannot be met; the message says why, for people. */
export class AdministrationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AdministrationError'
  }
}
