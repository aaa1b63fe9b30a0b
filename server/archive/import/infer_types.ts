import type { PropertyType } from '../../domain/properties/stored.ts'
import { checkboxIn, dateIn, numberIn } from '../cell_texts.ts'

/** Types that a column of another program may have. The first one that fits all its values is taken. */
const TYPES: readonly (readonly [PropertyType, (text: string) => boolean])[] = [
  ['checkbox', (text) => checkboxIn(text) !== undefined],
  ['number', (text) => isPlainNumber(text)],
  ['date', (text) => dateIn(text) !== undefined],
  ['email', (text) => /^[^\s@<>,]+@[^\s@<>,.]+(?:\.[^\s@<>,.]+)+$/.test(text)],
  ['url', (text) => /^https?:\/\/[^\s]+$/i.test(text)],
]

/** A number that stays the same text: no leading zeros, and no more digits than a number can hold. */
function isPlainNumber(text: string): boolean {
  return numberIn(text) !== undefined && !/^-?0\d/.test(text) && text.replace(/\D/g, '').length <= 15
}

/** Finds types for the columns of a table without known types. In doubt, a column is text. */
export class TypeInference {
  readonly #open: Set<number>[]
  readonly #isFilled: boolean[]

  constructor(columns: number) {
    this.#open = Array.from({ length: columns }, () => new Set(TYPES.keys()))
    this.#isFilled = Array.from({ length: columns }, () => false)
  }

  see(record: readonly string[]): void {
    for (const [column, open] of this.#open.entries()) {
      const text = record[column]?.trim() ?? ''
      if (text === '') continue
      this.#isFilled[column] = true
      for (const index of open) if (!TYPES[index]?.[1](text)) open.delete(index)
    }
  }

  /** The first column is the title. */
  get types(): PropertyType[] {
    return this.#open.map((open, column) => {
      if (column === 0) return 'title'
      const [first] = open
      return (this.#isFilled[column] && first !== undefined ? TYPES[first]?.[0] : undefined) ?? 'rich_text'
    })
  }
}
