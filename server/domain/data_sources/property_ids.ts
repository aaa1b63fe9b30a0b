import { randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 4

/** Four letters and digits that no other column of the data source has, or had. */
export function newPropertyId(taken: ReadonlySet<string>): string {
  for (;;) {
    const id = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    if (!taken.has(id)) return id
  }
}
