import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { facetsOf, propertyTypeNames } from '../../server/domain/property_types/index.ts'

/** What the compiler does not see of a property type: whether the contract lets requests and answers hold what its facets offer. */

interface Schema {
  readonly 'x-payload-key'?: string
  readonly oneOf?: readonly { readonly $ref: string }[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> }
}

const schemaAt = (path: string): Schema => parse(readFileSync(`spec/resources/${path}`, 'utf8')) as Schema
const typesWith = (facet: 'filter' | 'rollup'): string[] =>
  propertyTypeNames.filter((type) => facetsOf(type)[facet] !== 'none').toSorted()

// If you are here because a type is missing: add it to the schema that the title names, or say `'none'` in the facet.
it('each property type with a filter facet has a filter in QueryFilter', () => {
  const filters = schemaAt('data_sources/schemas/QueryFilter.yaml').oneOf ?? []
  const keys = filters.map(({ $ref }) => schemaAt(`data_sources/schemas/${$ref}`)['x-payload-key'])
  expect(keys.filter((key) => key !== 'and' && key !== 'or').toSorted()).toEqual(typesWith('filter'))
})

it('each property type with a filter facet is a key of QuickFilterCondition', () => {
  const { type: _type, ...conditions } = schemaAt('views/schemas/QuickFilterCondition.yaml').properties ?? {}
  expect(Object.keys(conditions).toSorted()).toEqual(typesWith('filter'))
})

it('each property type with a rollup facet is a variant of RollupArrayEntry', () => {
  const { mapping = {} } = schemaAt('pages/schemas/RollupArrayEntry.yaml').discriminator ?? {}
  expect(Object.keys(mapping).toSorted()).toEqual(typesWith('rollup'))
})
