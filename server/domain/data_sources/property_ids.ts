import { randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 4

/** Four letters and digits that nothing else in the data source has had. */
export function newPropertyId(taken: ReadonlySet<string>): string {
  for (;;) {
    const id = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    if (!taken.has(id)) return id
  }
}
