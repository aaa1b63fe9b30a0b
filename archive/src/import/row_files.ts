import { nameOfFile } from './archive_paths.ts'
import { comparable } from './row_properties.ts'

/** Known facts about the file of a row. */
export interface RowFileHead {
  readonly path: string
  /** Its heading; undefined if it has none. */
  readonly title: string | undefined
  /** Its values, by the columns of the table. */
  readonly values: ReadonlyMap<number, string>
}

interface Candidate extends RowFileHead {
  isTaken: boolean
}

/** How many files with the same name are compared with a row. */
const COMPARED_MAX = 50
/** From this length on, a file name may be the beginning of a longer title. */
const CUT_LENGTH_MIN = 20

/** Finds the file of each row: by its whole title and its values, by its title, or by the file name, which may be cut off. */
export class RowFiles {
  #byTitle = new Map<string, Candidate[]>()
  #byName = new Map<string, Candidate[]>()
  readonly #cutLengths: readonly number[]
  readonly #found = new Map<number, string>()
  #rest: string[] | undefined
  #all: Candidate[] = []
  readonly #titleColumn: number

  constructor(files: readonly RowFileHead[], titleColumn: number) {
    this.#titleColumn = titleColumn
    const lengths = new Set<number>()
    for (const file of files) {
      const candidate = { ...file, isTaken: false }
      this.#all.push(candidate)
      const name = nameKey(nameOfFile(file.path))
      if (name.length >= CUT_LENGTH_MIN) lengths.add(name.length)
      push(this.#byName, name, candidate)
      if (file.title !== undefined) push(this.#byTitle, titleKey(file.title), candidate)
    }
    this.#cutLengths = [...lengths].toSorted((one, other) => other - one)
  }

  /**
   * Assigns files to rows, the safest matches first.
   * @param rows reads the rows again
   */
  async match(rows: () => AsyncIterable<readonly string[]>): Promise<void> {
    for (const pass of ['values', 'title', 'name'] as const) {
      if (this.#all.every(({ isTaken }) => isTaken)) return
      let index = -1
      for await (const cells of rows()) {
        index += 1
        if (this.#found.has(index)) continue
        const candidate = pass === 'name' ? this.#named(cells) : this.#titled(cells, pass === 'values')
        if (!candidate) continue
        candidate.isTaken = true
        this.#found.set(index, candidate.path)
      }
    }
  }

  /** The file of a row, by its position in the table. */
  pathOf(index: number): string | undefined {
    return this.#found.get(index)
  }

  /** Files without a record. */
  get rest(): readonly string[] {
    return this.#rest ?? this.#all.filter(({ isTaken }) => !isTaken).map(({ path }) => path)
  }

  get taken(): readonly string[] {
    return [...this.#found.values()]
  }

  /** Frees everything except the matches and, if they are rows of the table, the files without a record. */
  forget(keepsRest: boolean): void {
    this.#rest = keepsRest ? [...this.rest] : []
    this.#all = []
    this.#byTitle = new Map()
    this.#byName = new Map()
  }

  #titled(cells: readonly string[], isExact: boolean): Candidate | undefined {
    return best(this.#byTitle.get(titleKey(cells[this.#titleColumn] ?? '')), cells, isExact)
  }

  #named(cells: readonly string[]): Candidate | undefined {
    const key = nameKey(cells[this.#titleColumn] ?? '')
    const whole = best(this.#byName.get(key), cells, false)
    if (whole) return whole
    for (const length of this.#cutLengths) {
      const cut = length < key.length ? best(this.#byName.get(key.slice(0, length)), cells, false) : undefined
      if (cut) return cut
    }
    return undefined
  }
}

/**
 * The file whose values are most similar to a row's values.
 * @param isExact whether all must be equal
 */
function best(candidates: Candidate[] | undefined, cells: readonly string[], isExact: boolean): Candidate | undefined {
  let found: Candidate | undefined
  let most = -Infinity
  // Assigned files at the start are skipped from now on.
  while (candidates?.[0]?.isTaken) candidates.shift()
  for (const candidate of candidates?.slice(0, COMPARED_MAX) ?? []) {
    if (candidate.isTaken) continue
    const score = likeness(candidate, cells, isExact)
    if (score <= most) continue
    ;[found, most] = [candidate, score]
  }
  return found
}

/** The number of equal values minus the number of different ones. */
function likeness({ values }: Candidate, cells: readonly string[], isExact: boolean): number {
  let score = 0
  for (const [column, value] of values) {
    const [cell = ''] = (cells[column] ?? '').trim().split(/\r?\n/, 1)
    if (keptValue(cell) === value) score += 1
    else if (isExact) return -Infinity
    else score -= 1
  }
  return score
}

/** The number of characters of a value that are compared. */
const VALUE_LENGTH_MAX = 60

export function keptValue(value: string): string {
  return comparable(value).slice(0, VALUE_LENGTH_MAX)
}

function titleKey(title: string): string {
  const key = title.normalize('NFC').replace(/\s+/g, ' ').trim()
  return key.toLowerCase() === 'untitled' ? '' : key
}

/** The characters of a title that a file name keeps. Others may be replaced by any character. */
function nameKey(title: string): string {
  const key = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return key === '' && titleKey(title) === '' ? 'untitled' : key || title.trim()
}

function push(map: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  const list = map.get(key)
  if (list) list.push(candidate)
  else map.set(key, [candidate])
}
