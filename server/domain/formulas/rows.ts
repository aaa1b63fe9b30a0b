/**
 * Thrown by a row whose data is not there yet, after it has noted what to fetch; the caller of `evaluate` fetches and repeats.
 * A list of rows is best evaluated in rounds: all of them, then one fetch of everything noted, until nothing is missing.
 */
export class NotLoaded extends Error {
  constructor() {
    super('data of the formula has not been fetched')
    this.name = 'NotLoaded'
  }
}
