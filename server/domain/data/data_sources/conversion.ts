import type { SchemaOption } from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { hasOptions, type PropertyType, type StoredProperty } from '../properties/stored.ts'
import { OPTIONS_MAX } from '../properties/value_notes.ts'
import { facetsOf } from '../property_types/index.ts'
import type { ConversionFacet } from '../property_types/property_facets.ts'
import type { Facts } from '../../content/index.ts'

/** Data for converting values to text, and text to people. */
export interface ConversionFacts {
  readonly facts: Facts
  /** Ids of users by id and by lower-case email address. */
  readonly users: ReadonlyMap<string, string>
}

/** Converts values to another type. Options named in texts are created; `property` is the new column, with these options. */
export class Conversion {
  readonly #from: StoredProperty
  #to: StoredProperty

  constructor(from: StoredProperty, to: StoredProperty) {
    this.#from = from
    this.#to = withOptionsOf(from, to)
  }

  get property(): StoredProperty {
    return this.#to
  }

  /** @returns undefined for an empty value */
  convert(stored: unknown, facts: ConversionFacts): unknown {
    const [from, to] = [facetsOf(this.#from.type), facetsOf(this.#to.type)]
    if (from.config.options !== 'none' && to.config.options !== 'none') {
      const options = hasOptions(this.#to) ? this.#to.options : []
      return to.config.options.keep(from.config.options.ids(stored).filter((id) => options.some((option) => option.id === id)))
    }
    const { fromText } = to.conversion
    if (fromText === 'none' || (fromText.of === 'texts' && !isOfTexts(from.conversion))) return undefined
    const { toText } = from.conversion
    const text = toText === 'none' || stored === undefined || stored === null ? '' : toText(stored, this.#from, facts.facts)
    return fromText.parse(text, { property: this.#to, users: facts.users, optionNamed: this.#optionNamed })
  }

  /** The id of the option with a name, created if it is missing. Names have no commas and at most 100 characters. */
  readonly #optionNamed = (text: string): string | undefined => {
    const property = this.#to
    if (!hasOptions(property)) return undefined
    const name = [...text.replaceAll(',', ' ')].slice(0, 100).join('').trim()
    const known = property.options.find((option) => option.name === name)
    if (known || name === '') return known?.id
    if (property.options.length >= OPTIONS_MAX) return undefined
    const option: SchemaOption = { id: newId(), name, color: 'default', description: null }
    this.#to = { ...property, options: [...property.options, option] }
    return option.id
  }
}

/** Whether a type holds text, so that values of any type can be converted to it. */
function isOfTexts({ fromText }: ConversionFacet<PropertyType>): boolean {
  return fromText !== 'none' && fromText.of === 'any type'
}

/** Keeps the options if both types have options. */
function withOptionsOf(from: StoredProperty, to: StoredProperty): StoredProperty {
  const { options } = facetsOf(to.type).config
  if (options === 'none' || !hasOptions(from) || !hasOptions(to) || from.type === to.type) return to
  return options.adopt(to, from.options)
}
