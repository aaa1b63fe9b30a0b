import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ExampleRecords, RecordValues } from './example_records.ts'

/** An id, alone or in an address, with or without dashes. */
const ID = /[0-9a-f]{8}(-?)[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/gi
const DASHES = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

/** The usual spelling of an id. */
export function plainId(id: string): string {
  return id.toLowerCase().replaceAll('-', '').replace(DASHES, '$1-$2-$3-$4-$5')
}

export function idsIn(value: unknown): readonly string[] {
  return (JSON.stringify(value ?? null).match(ID) ?? []).map(plainId)
}

/** An example with its ids replaced by those of the run. */
export interface Filled {
  readonly value: unknown
  /** Referenced records that the run does not have. */
  readonly missing: readonly string[]
  /** References in omitted list items. */
  readonly dropped: readonly string[]
}

/** The replacements of the examples' records: records that the run has created, or has found if it cannot create them. */
export class Replacements {
  readonly #records: ExampleRecords
  readonly #ids = new Map<string, string>()
  /** A record of each kind, for records that have no counterpart. */
  readonly #anyOf = new Map<string, string>()
  /** By data source of the examples: ids of its properties and options. */
  readonly #columns = new Map<string, ReadonlyMap<string, string>>()
  /** The addresses of the examples' files. */
  readonly #origin: string

  constructor(records: ExampleRecords, origin: string) {
    this.#records = records
    this.#origin = origin
  }

  set(exampleId: string, id: string): void {
    this.#ids.set(plainId(exampleId), id)
  }

  setAny(kind: string, id: string): void {
    this.#anyOf.set(kind, id)
  }

  /** Sets the counterparts of properties and options by their names, which they keep. */
  setColumns(dataSourceId: string, example: RecordValues, own: RecordValues): void {
    this.#columns.set(dataSourceId, new Map(columnIds(example['properties'], own['properties'])))
  }

  of(exampleId: unknown): string | undefined {
    const id = plainId(String(exampleId))
    return this.#ids.get(id) ?? this.#anyOf.get(this.#records.kindOf(id) ?? '')
  }

  /** Whether a record of the examples has been recreated. */
  has(exampleId: unknown): boolean {
    return this.#ids.has(plainId(String(exampleId)))
  }

  /** @param dataSourceId the data source of the examples that ids of properties belong to, if they are ambiguous */
  fill(value: unknown, dataSourceId?: string): Filled {
    const scope = dataSourceId ?? idsIn(value).find((id) => this.#columns.has(id))
    const columns = [
      ...(scope === undefined ? [] : [this.#columns.get(scope) ?? new Map<string, string>()]),
      ...this.#columns.values(),
    ]
    const filling = new Filling((given, missing) => {
      if (given.startsWith(`${this.#origin}/files/`)) missing.add('a file that only the server of the examples has')
      for (const ids of columns) if (ids.has(given)) return ids.get(given) ?? given
      return given.replaceAll(ID, (id, dash: string) => {
        const own = this.of(id)
        if (own === undefined)
          missing.add(
            `a ${(this.#records.kindOf(plainId(id)) ?? 'record').replace(/_id$/, '').replaceAll('_', ' ')} that was not created`,
          )
        return dash === '' ? (own ?? id).replaceAll('-', '') : (own ?? id)
      })
    })
    const missing = new Set<string>()
    return { value: filling.fill(value, missing), missing: [...missing], dropped: [...filling.dropped] }
  }
}

/** Words of the contract, which may look like ids of properties. */
const WORDS: ReadonlySet<string> = new Set(['type', 'object', 'name', 'content', 'format', 'color'])

class Filling {
  readonly dropped = new Set<string>()
  readonly #text: (given: string, missing: Set<string>) => string

  constructor(text: (given: string, missing: Set<string>) => string) {
    this.#text = text
  }

  fill(value: unknown, missing: Set<string>): unknown {
    if (typeof value === 'string') return this.#text(value, missing)
    if (Array.isArray(value)) return this.#fillList(value, missing)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        isObject(member) || member === null ? this.#text(key, missing) : key,
        WORDS.has(key) && typeof member === 'string' ? member : this.fill(member, missing),
      ]),
    )
  }

  /**
   * Fills the items of a list. Those with missing references are omitted, but only a list inside a list, such as a cell of a row, may
   * become empty.
   */
  #fillList(items: readonly unknown[], missing: Set<string>, isNested = false): unknown {
    const filled = items.map((item) => {
      const lacks = new Set<string>()
      return { value: Array.isArray(item) ? this.#fillList(item, lacks, true) : this.fill(item, lacks), lacks }
    })
    const kept = filled.filter(({ lacks }) => lacks.size === 0)
    const isEmptied = kept.length === 0 && !isNested
    const into = isEmptied ? missing : this.dropped
    for (const { lacks } of filled) for (const lack of lacks) into.add(lack)
    return (isEmptied ? filled : kept).map(({ value }) => value)
  }
}

function* columnIds(examples: unknown, own: unknown): Generator<readonly [string, string]> {
  for (const [name, example] of Object.entries(isObject(examples) ? examples : {})) {
    const column = isObject(own) ? own[name] : undefined
    if (!isObject(example) || !isObject(column)) continue
    yield [String(example['id']), String(column['id'])]
    const type = String(example['type'])
    const [existing, here] = [optionsOf(example[type]), optionsOf(column[type])]
    for (const { id, name: option } of existing) {
      const match = here.find((one) => one['name'] === option)
      if (match) yield [String(id), String(match['id'])]
    }
  }
}

function optionsOf(settings: unknown): readonly RecordValues[] {
  return isObject(settings) && Array.isArray(settings['options']) ? settings['options'].filter(isObject) : []
}
