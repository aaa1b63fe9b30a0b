/** Finds examples of a contract that violate their schemas. */

import { MissingRefError } from 'ajv/dist/2020.js'
import { changedComponents, referencesIn } from '../generate/changed.ts'
import {
  isReference,
  resolve,
  type Document,
  type Example,
  type MediaType,
  type ReferenceObject,
  type Schema,
} from '../generate/document.ts'
import { pointerOf } from '../generate/source_map.ts'
import { ExampleValidators } from './example_validators.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * Checks the examples of one state of a contract after the other: again those that have changed, or whose schema has, and those that were
 * invalid.
 */
export class ExampleCheck {
  #validators = new ExampleValidators()
  #before: Document | undefined
  /** The invalid examples of the last state. */
  #misfits: ReadonlySet<string> = new Set()

  /** @param before a contract whose examples are valid, or known not to be */
  constructor(before?: Document) {
    this.#before = before
  }

  /**
   * A copy of the contract with only the invalid examples, for Redocly to explain; undefined if all are valid. Redocly would
   * take four times as long to find them.
   * @param document does not change any more
   */
  withOnlyInvalid(document: Document): Document | undefined {
    const used = newExamples(document, this.#before, this.#misfits)
    const misfits = used.length === 0 ? [] : this.#misfitsAmong(used, document)
    this.#before = document
    this.#misfits = new Set(misfits.map(idOf))
    if (misfits.length === 0) return undefined
    const copy = structuredClone(document)
    for (const { pointer, media } of mediaIn(copy))
      media.examples = Object.fromEntries(
        Object.entries(media.examples ?? {}).filter(([key]) => this.#misfits.has(idOf({ pointer, key }))),
      )
    return copy
  }

  #misfitsAmong(used: readonly UsedExample[], document: Document): UsedExample[] {
    try {
      this.#validators.use(document)
      return used.filter((one) => this.#isMisfit(one, document))
    } catch (error) {
      this.#validators = new ExampleValidators()
      throw error
    }
  }

  #isMisfit({ example, schema }: UsedExample, document: Document): boolean {
    const { value } = resolve<Example>(document, example)
    try {
      return value !== undefined && !this.#validators.accepts(schema, value)
    } catch (error) {
      if (error instanceof MissingRefError) throw error
      return true // a schema that cannot be used, which Redocly explains, too
    }
  }
}

interface UsedExample {
  /** The JSON pointer of the media type. */
  readonly pointer: string
  readonly key: string
  readonly example: Example | ReferenceObject
  readonly schema: Schema
}

const idOf = ({ pointer, key }: Pick<UsedExample, 'pointer' | 'key'>): string => `${pointer} ${key}`

/** The examples that have changed since an earlier contract, or whose schema has, and some others. */
function newExamples(document: Document, before: Document | undefined, others: ReadonlySet<string>): UsedExample[] {
  const changed = before === undefined ? undefined : changedComponents(before, document)
  const known = new Set(before === undefined ? [] : mediaIn(before).map(({ media }) => textOf(media)))
  return mediaIn(document).flatMap(({ pointer, media, schema }) => {
    const examples = Object.entries(media.examples ?? {}).map(([key, example]) => ({ pointer, key, example, schema }))
    if (changed === undefined || !known.has(textOf(media)) || hasAny(schema, changed)) return examples
    return examples.filter((used) => hasAny(used.example, changed) || others.has(idOf(used)))
  })
}

function hasAny(value: unknown, components: ReadonlySet<string>): boolean {
  return !referencesIn(value).isDisjointFrom(components)
}

interface PlacedMedia {
  readonly pointer: string
  readonly media: MediaType
  readonly schema: Schema
}

/** The media types with examples, each with its JSON pointer. */
function mediaIn({ paths, webhooks = {}, components: { responses = {}, requestBodies = {} } }: Document): PlacedMedia[] {
  const groups: [keys: readonly string[], group: Readonly<Record<string, unknown>>][] = [
    [['paths'], paths],
    [['webhooks'], webhooks],
    [['components', 'responses'], responses],
    [['components', 'requestBodies'], requestBodies],
  ]
  return groups.flatMap(([keys, group]) => Object.entries(group).flatMap(([name, part]) => mediaInPart(part, [...keys, name])))
}

/** What was found in parts of contracts, which always stand at the same place. */
const knownMedia = new WeakMap<object, readonly PlacedMedia[]>()

function mediaInPart(part: unknown, keys: readonly string[]): readonly PlacedMedia[] {
  if (!isObject(part)) return []
  const known = knownMedia.get(part)
  if (known !== undefined) return known
  const found: PlacedMedia[] = []
  const visit = (value: unknown, place: readonly string[]): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...place, String(index)]))
    if (!isObject(value) || isReference(value)) return
    const { schema, examples } = value
    if (isObject(schema) && isObject(examples)) found.push({ pointer: pointerOf(place), media: value, schema })
    else for (const [key, item] of Object.entries(value)) visit(item, [...place, key])
  }
  visit(part, keys)
  knownMedia.set(part, found)
  return found
}

const texts = new WeakMap<MediaType, string>()

function textOf(media: MediaType): string {
  const text = texts.get(media) ?? JSON.stringify([media.schema, media.examples])
  texts.set(media, text)
  return text
}
