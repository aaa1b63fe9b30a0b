import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { facetsOf, propertyTypeNames } from '../../server/domain/data/property_types/index.ts'

/** Checks of a property type that the compiler cannot do: the contract lets requests and responses contain what its facets offer. */

interface Schema {
  readonly 'x-payload-key'?: string
  readonly oneOf?: readonly { readonly $ref: string }[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> }
}

const { components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  components: { schemas: Readonly<Record<string, Schema>> }
}
const schemaOf = (name: string): Schema => components.schemas[name.replace('#/components/schemas/', '')] ?? {}
const typesWith = (facet: 'filter' | 'rollup'): string[] =>
  propertyTypeNames.filter((type) => facetsOf(type)[facet] !== 'none').toSorted()

// If you are here because a type is missing: declare its schema in spec/families/property_types/, or say `'none'` in the facet.
it('each property type with a filter facet has a filter in QueryFilter', () => {
  const filters = schemaOf('QueryFilter').oneOf ?? []
  const keys = filters.map(({ $ref }) => schemaOf($ref)['x-payload-key'])
  expect(keys.filter((key) => key !== 'and' && key !== 'or').toSorted()).toEqual(typesWith('filter'))
})

it('each property type with a filter facet is a key of QuickFilterCondition', () => {
  const { type: _type, ...conditions } = schemaOf('QuickFilterCondition').properties ?? {}
  expect(Object.keys(conditions).toSorted()).toEqual(typesWith('filter'))
})

it('each property type with a rollup facet is a variant of RollupArrayEntry', () => {
  const { mapping = {} } = schemaOf('RollupArrayEntry').discriminator ?? {}
  // Other deployments return buttons; this service has none to roll up.
  expect(Object.keys(mapping).toSorted()).toEqual([...typesWith('rollup'), 'button'].toSorted())
})
