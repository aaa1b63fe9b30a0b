import type { Node } from '@babel/types'
import type { ContractPair } from './contract_pair.ts'
import { describedByType } from './operation_names.ts'
import { oneOfValues, type TrackedValue } from './tracked_value.ts'

/** Generic types whose items have the type of the parameter. */
const COLLECTIONS = ['Array', 'ReadonlyArray', 'Set', 'Iterable', 'AsyncIterable', 'AsyncGenerator', 'Generator']
const WRAPPERS = ['Promise', 'Awaited', 'Readonly', 'Partial', 'Required', 'NonNullable']

/** Derives values from the types that a file names. */
export class TypesInCode {
  /** Types that were imported from packages, by their names in the file. */
  readonly imported = new Map<string, string>()
  readonly #pair: ContractPair

  constructor(pair: ContractPair) {
    this.#pair = pair
  }

  annotated({ typeAnnotation }: { readonly typeAnnotation?: Node | null }): TrackedValue | undefined {
    return typeAnnotation?.type === 'TSTypeAnnotation' ? this.valueOf(typeAnnotation.typeAnnotation) : undefined
  }

  valueOf(type: Node | undefined): TrackedValue | undefined {
    switch (type?.type) {
      case 'TSArrayType':
        return eachOf(this.valueOf(type.elementType))
      case 'TSTypeOperator':
      case 'TSParenthesizedType':
        return this.valueOf(type.typeAnnotation)
      case 'TSUnionType':
        return oneOfValues(type.types.map((one) => this.valueOf(one)))
      case 'TSTypeReference':
        return type.typeName.type === 'Identifier' ? this.#named(type.typeName.name, type.typeArguments?.params[0]) : undefined
    }
    return undefined
  }

  #named(name: string, parameter: Node | undefined): TrackedValue | undefined {
    if (WRAPPERS.includes(name)) return this.valueOf(parameter)
    const imported = this.imported.get(name)
    if (imported !== undefined) return this.#described(imported)
    return COLLECTIONS.includes(name) ? eachOf(this.valueOf(parameter)) : undefined
  }

  #described(name: string): TrackedValue | undefined {
    const { schemas, received } = describedByType(name)
    const shape = received
      ? this.#pair.received(received)
      : schemas.map((one) => this.#pair.named(one)).find((one) => one !== undefined)
    return !shape || shape.isSent ? undefined : { kind: 'received', shape, call: undefined }
  }
}

function eachOf(of: TrackedValue | undefined): TrackedValue | undefined {
  return of && { kind: 'each', of }
}
