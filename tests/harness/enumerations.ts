import type { components } from '../../generated/types.ts'
import { publicContract } from './contract.ts'

type Schemas = components['schemas']

export function enumerationValues<Name extends keyof Schemas>(name: Name): Extract<Schemas[Name], string>[] {
  const { enum: words = [] } = publicContract().components.schemas[name] as { readonly enum?: Extract<Schemas[Name], string>[] }
  if (words.length === 0) throw new Error(`${name} is not an enumeration`)
  return words
}
