import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

interface Entry {
  readonly text: string
  /** Number of features that no shorter entry has. */
  owned: number
  picks: number
}

/** Inputs that were the first or shortest with some feature, stored as files in a folder. */
export class Corpus {
  readonly #folder: string
  readonly #owners = new Map<number, Entry>()
  #entries: Entry[] = []

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  get size(): number {
    return this.#entries.length
  }

  /** The inputs that earlier runs stored. */
  saved(): string[] {
    return readdirSync(this.#folder).map((name) => String(JSON.parse(readFileSync(join(this.#folder, name), 'utf8'))))
  }

  /**
   * Stores an input unless a shorter one has the same features.
   * @param features of its run
   */
  add(text: string, features: readonly number[]): void {
    const entry: Entry = { text, owned: 0, picks: 0 }
    for (const feature of features) {
      const owner = this.#owners.get(feature)
      if (owner && owner.text.length <= text.length) continue
      this.#owners.set(feature, entry)
      entry.owned += 1
      if (owner) owner.owned -= 1
      if (owner?.owned === 0) rmSync(this.#fileOf(owner), { force: true })
    }
    if (entry.owned === 0) return
    writeFileSync(this.#fileOf(entry), JSON.stringify(text))
    this.#entries = [...this.#entries.filter(({ owned }) => owned > 0), entry]
  }

  /** Picks one of the entries that have run the least so far. */
  pick(random: Random): string {
    const some = [0, 1, 2].flatMap(() => this.#entries[random.below(this.#entries.length)] ?? [])
    const [entry] = some.toSorted((one, other) => timeOf(one) - timeOf(other))
    if (!entry) return ''
    entry.picks += 1
    return entry.text
  }

  any(random: Random): string {
    return this.#entries.length === 0 ? '' : random.pick(this.#entries).text
  }

  #fileOf({ text }: Entry): string {
    return join(this.#folder, `${createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 16)}.json`)
  }
}

/** Estimated run time of its descendants. */
function timeOf({ picks, text }: Entry): number {
  return picks * (text.length + 100)
}
