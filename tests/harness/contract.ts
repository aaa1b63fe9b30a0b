import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ReleaseDate } from '../../generated/types.ts'
import { asSent } from '../../server/contract/as_sent.ts'
import { formats } from '../../server/contract/formats.ts'

/** The parts of an OpenAPI description that responses are checked against. */
export interface PublicContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, DeclaredResponse>>
    readonly headers: Readonly<Record<string, DeclaredHeader>>
    readonly parameters: Readonly<Record<string, DeclaredParameter>>
    readonly examples: Readonly<Record<string, DeclaredExample>>
  }
}

export interface DeclaredOperation {
  readonly parameters?: readonly (DeclaredParameter | Ref)[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, DeclaredBody>> }
  readonly responses?: Readonly<Record<string, ResponseOrRef>>
  readonly operationId?: string
  readonly 'x-error-codes'?: readonly string[]
}

export interface DeclaredParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: object
  readonly example?: unknown
}

export interface DeclaredBody {
  readonly schema: object
  readonly examples?: Readonly<Record<string, DeclaredExample | Ref>>
}

export interface DeclaredExample {
  readonly value?: unknown
}

export interface DeclaredResponse {
  readonly content?: Readonly<Record<string, DeclaredBody>>
  readonly headers?: Readonly<Record<string, DeclaredHeader | Ref>>
}

export interface DeclaredHeader {
  readonly required?: boolean
  readonly schema: object
}

export interface Ref {
  readonly $ref: string
}

type ResponseOrRef = DeclaredResponse | Ref

/** The parameters that all operations of a path take. */
export function sharedParameters(item: Readonly<Record<string, unknown>>): readonly (DeclaredParameter | Ref)[] {
  return Array.isArray(item['parameters']) ? item['parameters'] : []
}

const GENERATED = new URL('../../generated/', import.meta.url)

const contracts = new Map<ReleaseDate | undefined, PublicContract>()

export function publicContract(date?: ReleaseDate): PublicContract {
  const known = contracts.get(date)
  if (known) return known
  const file = date === undefined ? 'openapi.json' : `versions/${date}.json`
  const contract = JSON.parse(readFileSync(new URL(file, GENERATED), 'utf8')) as PublicContract
  contracts.set(date, contract)
  return contract
}

export function isRef(value: object): value is Ref {
  return '$ref' in value && typeof value.$ref === 'string'
}

/** Follows a reference into `components`. */
export function resolve<T extends object>(value: T | Ref, section: Readonly<Record<string, T>>): T {
  if (!isRef(value)) return value
  const found = section[value.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`the contract has no ${value.$ref}`)
  return found
}

const CONTRACT_ID = 'https://contract.example/openapi'

const compilers = new Map<PublicContract, Ajv2020>()
const compiled = new Map<object, ValidateFunction>()

/**
 * A validator for a schema of a contract, independent of the server's. It ignores discriminators and evaluates `oneOf`.
 * @param schema the same object must always mean the same schema of the same contract
 */
export function validatorOf(schema: object, contract = publicContract()): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const ajv = compilers.get(contract) ?? newAjv(contract)
  compilers.set(contract, ajv)
  const validate = ajv.compile(asSent(withAbsoluteRefs(schema)))
  compiled.set(schema, validate)
  return validate
}

function newAjv(contract: PublicContract): Ajv2020 {
  const fresh = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: false,
    inlineRefs: false,
    // Optimizing the code takes longer than it saves in one test file.
    code: { optimize: false },
    formats: Object.fromEntries(
      Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
    ),
  })
  fresh.addFormat('uri', { type: 'string', validate: (text) => URL.canParse(text) })
  const { schemas } = contract.components
  return fresh.addSchema(asSent({ $id: CONTRACT_ID, components: { schemas } }))
}

function withAbsoluteRefs(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' ? `${CONTRACT_ID}${value}` : value,
    ),
  ) as object
}
