import type { PropertyType } from '@workspace-service/server/domain/data/index.ts'
import { isOnWeb } from './cell_links.ts'
import { checkboxIn, dateIn, numberIn } from '../cell_texts.ts'

/** Candidate types for a column of another program. The first one that fits all its values is chosen. */
const TYPES: readonly (readonly [PropertyType, (text: string) => boolean])[] = [
  ['checkbox', (text) => checkboxIn(text) !== undefined],
  ['number', (text) => isPlainNumber(text)],
  ['date', (text) => dateIn(text) !== undefined],
  ['email', (text) => /^[^\s@<>,]+@[^\s@<>,.]+(?:\.[^\s@<>,.]+)+$/.test(text)],
  ['url', (text) => /^https?:\/\/[^\s]+$/i.test(text)],
]

/** A number whose text stays the same: no leading zeros, and no more digits than a number can hold. */
function isPlainNumber(text: string): boolean {
  return numberIn(text) !== undefined && !/^-?0\d/.test(text) && text.replace(/\D/g, '').length <= 15
}

/** Finds what the values of a table refer to in its archive. */
export interface CellReferences {
  /** The data source whose rows a value refers to; undefined if it refers to no rows, or to rows of several. */
  relatedIn(text: string): string | undefined
  /** The addresses of the files in a value; undefined if it is not a list of files. */
  filesIn(text: string): readonly string[] | undefined
}

/** Infers types for the columns of a table without known types. In doubt, a column is text. */
export class TypeInference {
  readonly #open: Set<number>[]
  readonly #isFilled: boolean[]
  /** The data source whose rows all known values of a column refer to; undefined if there is not exactly one. */
  readonly #related: (string | undefined)[]
  /** Whether all values of a column are lists of files, at least one of which is in the archive. */
  readonly #files: { isList: boolean; hasOwn: boolean }[]
  readonly #references: CellReferences

  constructor(columns: number, references: CellReferences) {
    this.#references = references
    this.#related = Array.from({ length: columns }, () => '')
    this.#files = Array.from({ length: columns }, () => ({ isList: true, hasOwn: false }))
    this.#open = Array.from({ length: columns }, () => new Set(TYPES.keys()))
    this.#isFilled = Array.from({ length: columns }, () => false)
  }

  see(record: readonly string[]): void {
    for (const [column, open] of this.#open.entries()) {
      const text = record[column]?.trim() ?? ''
      if (text === '') continue
      this.#isFilled[column] = true
      const related = this.#related[column] === undefined ? undefined : this.#references.relatedIn(text)
      const known = this.#related[column]
      this.#related[column] = known === '' || known === related ? related : undefined
      const files = this.#files[column]
      if (files?.isList) {
        const addresses = this.#references.filesIn(text)
        files.isList = addresses !== undefined
        files.hasOwn ||= addresses?.some((address) => !isOnWeb(address)) ?? false
      }
      for (const index of open) if (!TYPES[index]?.[1](text)) open.delete(index)
    }
  }

  /** The data source that a column relates to. */
  relatedTo(column: number): string | undefined {
    return column === 0 ? undefined : this.#related[column] || undefined
  }

  /** The first column is the title. */
  get types(): PropertyType[] {
    return this.#open.map((open, column) => {
      if (column === 0) return 'title'
      if (this.relatedTo(column) !== undefined) return 'relation'
      if (this.#files[column]?.isList && this.#files[column].hasOwn) return 'files'
      const [first] = open
      return (this.#isFilled[column] && first !== undefined ? TYPES[first]?.[0] : undefined) ?? 'rich_text'
    })
  }
}
