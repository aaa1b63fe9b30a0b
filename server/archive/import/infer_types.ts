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
  /** The data source whose rows all values of a column name, as far as it is known; undefined if they do not. */
  readonly #related: (string | undefined)[]
  readonly #relatedIn: (text: string) => string | undefined

  /** @param relatedIn the data source whose rows a value names; undefined if it names no rows, or of several */
  constructor(columns: number, relatedIn: (text: string) => string | undefined) {
    this.#relatedIn = relatedIn
    this.#related = Array.from({ length: columns }, () => '')
    this.#open = Array.from({ length: columns }, () => new Set(TYPES.keys()))
    this.#isFilled = Array.from({ length: columns }, () => false)
  }

  see(record: readonly string[]): void {
    for (const [column, open] of this.#open.entries()) {
      const text = record[column]?.trim() ?? ''
      if (text === '') continue
      this.#isFilled[column] = true
      const related = this.#related[column] === undefined ? undefined : this.#relatedIn(text)
      const known = this.#related[column]
      this.#related[column] = known === '' || known === related ? related : undefined
      for (const index of open) if (!TYPES[index]?.[1](text)) open.delete(index)
    }
  }

  /** The data source to which a column relates. */
  relatedTo(column: number): string | undefined {
    return column === 0 ? undefined : this.#related[column] || undefined
  }

  /** The first column is the title. */
  get types(): PropertyType[] {
    return this.#open.map((open, column) => {
      if (column === 0) return 'title'
      if (this.relatedTo(column) !== undefined) return 'relation'
      const [first] = open
      return (this.#isFilled[column] && first !== undefined ? TYPES[first]?.[0] : undefined) ?? 'rich_text'
    })
  }
}
