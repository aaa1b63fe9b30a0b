import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ReleaseDate } from '../../generated/types.ts'
import { asSent } from '@workspace-service/server/contract/as_sent.ts'
import { contractFolder, contractTextSync } from '@workspace-service/server/contract/contract_text.ts'
import { replaceEmptyArrays } from '@workspace-service/server/contract/empty_arrays.ts'
import { formats } from '@workspace-service/server/contract/formats.ts'
import type { Operation } from '@workspace-service/server/contract/operation.ts'

interface Ref {
  readonly $ref: string
}

export interface DeclaredHeader {
  readonly required?: boolean
  readonly schema: object
}

export interface DeclaredParameter extends DeclaredHeader {
  readonly name: string
  readonly in: string
  readonly example?: unknown
}

interface DeclaredExample {
  readonly value?: unknown
}

export interface DeclaredMedia {
  readonly schema: object
  readonly examples?: Readonly<Record<string, DeclaredExample | Ref>>
}

export interface DeclaredResponse {
  readonly content?: Readonly<Record<string, DeclaredMedia>>
  readonly headers?: Readonly<Record<string, DeclaredHeader | Ref>>
}

interface DeclaredOperation {
  readonly parameters?: readonly (DeclaredParameter | Ref)[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, DeclaredMedia>> }
  readonly responses?: Readonly<Record<string, DeclaredResponse | Ref>>
}

interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * The base address of references in validators; nothing is loaded from it. Each component has its own address, so that it is compiled once.
 */
const ADDRESS = 'https://contract.invalid/schemas/'
const COMPONENT = /^#\/components\/schemas\/([^/]+)$/

export interface ValueProblem {
  /** JSON pointer. */
  readonly pointer: string
  readonly keyword: string
  readonly text: string
}

/** The contract as of a release date, or with every operation of any release. Validators are compiled when they are first needed. */
export class DatedContract {
  readonly document: ContractDocument
  readonly #ajv: Ajv2020
  /** Text of headers and parameters is converted to the type in the contract. */
  readonly #coercing: Ajv2020
  readonly #validators = new WeakMap<object, ValidateFunction>()

  private constructor(document: ContractDocument) {
    this.document = document
    this.#ajv = compilerOf(document, false)
    this.#coercing = compilerOf(document, true)
  }

  static of(date?: ReleaseDate): DatedContract {
    return DatedContract.#of(date, false)
  }

  /** For responses of this service, which always sends members that other deployments may leave out. */
  static ofService(date: ReleaseDate): DatedContract {
    return DatedContract.#of(date, true)
  }

  static #of(date: ReleaseDate | undefined, isOfService: boolean): DatedContract {
    const key = `${date ?? ''}${isOfService ? ' of the service' : ''}`
    const known = contracts.get(key)
    if (known) return known
    const file = date === undefined ? 'openapi.json' : `versions/${date}.json`
    const document = JSON.parse(contractTextSync(contractFolder, file), withoutMapping) as ContractDocument
    const contract = new DatedContract(isOfService ? asSent(document) : document)
    contracts.set(key, contract)
    return contract
  }

  /** @returns undefined if this release does not have the operation */
  operation({ path, method }: Pick<Operation, 'path' | 'method'>): DeclaredOperation | undefined {
    return this.document.paths[path]?.[method] as DeclaredOperation | undefined
  }

  /** The parameters of an operation, including those of its path. */
  parameters(operation: Pick<Operation, 'path' | 'method'>): readonly DeclaredParameter[] {
    const shared = (this.document.paths[operation.path] as DeclaredOperation | undefined)?.parameters ?? []
    return [...shared, ...(this.operation(operation)?.parameters ?? [])].map((one) => this.resolve(one))
  }

  response(operation: Pick<Operation, 'path' | 'method'>, status: number): DeclaredResponse | undefined {
    const declared = this.operation(operation)?.responses?.[String(status)]
    return declared && this.resolve(declared)
  }

  /** The examples of the JSON body of a request, by name. */
  requestExamples(operation: Pick<Operation, 'path' | 'method'>): readonly (readonly [name: string, value: unknown])[] {
    return this.#examplesOf(this.operation(operation)?.requestBody?.content?.['application/json'])
  }

  /** Schema of the JSON body of a request. */
  requestSchema(operation: Pick<Operation, 'path' | 'method'>): object | undefined {
    return this.operation(operation)?.requestBody?.content?.['application/json']?.schema
  }

  /** The examples of the JSON of successful responses. */
  responseExamples(operation: Pick<Operation, 'path' | 'method'>): readonly unknown[] {
    return Object.entries(this.operation(operation)?.responses ?? {})
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => this.#examplesOf(this.resolve(response).content?.['application/json']))
      .map(([, value]) => value)
  }

  #examplesOf(media: DeclaredMedia | undefined): readonly (readonly [name: string, value: unknown])[] {
    return Object.entries(media?.examples ?? {}).map(([name, example]) => [name, this.resolve(example).value] as const)
  }

  /** Follows a reference into `components`. */
  resolve<T extends object>(value: T | Ref): T {
    if (!('$ref' in value)) return value
    const [section = '', name = ''] = value.$ref.split('/').slice(-2)
    const found = this.document.components[section]?.[name]
    if (typeof found !== 'object' || found === null) throw new Error(`the contract has no ${value.$ref}`)
    return found as T
  }

  /**
   * @param isRequest whether `[]` counts as `{}` where only an object fits, as in requests; the value is changed in place
   * @returns the first problem of a JSON value; undefined if the schema allows it
   */
  problemOf(schema: object, value: unknown, isRequest = false): ValueProblem | undefined {
    const validate = this.#validator(schema, this.#ajv, (one) => one)
    if (isRequest) while (!validate(value) && replaceEmptyArrays(validate.errors ?? [], value));
    return firstProblem(validate, value)
  }

  /** As `problemOf`, for text of a header or a parameter. @param texts more than one when a parameter is repeated */
  problemOfText(schema: object, texts: readonly string[]): ValueProblem | undefined {
    const validate = this.#validator(schema, this.#coercing, (one) => ({ type: 'object', properties: { value: one } }))
    const problem = firstProblem(validate, { value: texts.length === 1 ? texts[0] : texts })
    return problem && { ...problem, pointer: problem.pointer.replace(/^\/value/, '') }
  }

  #validator(schema: object, ajv: Ajv2020, wrap: (schema: object) => object): ValidateFunction {
    const known = this.#validators.get(schema)
    if (known) return known
    const validate = ajv.compile(withAbsoluteReferences(wrap(schema)))
    this.#validators.set(schema, validate)
    return validate
  }
}

const contracts = new Map<string, DatedContract>()

function compilerOf(document: ContractDocument, coerces: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    discriminator: true,
    inlineRefs: false,
    coerceTypes: coerces && 'array',
    // Each validator is used only a few times: generating fast code would take longer than it saves.
    code: { optimize: false },
    formats: Object.fromEntries(Object.entries(formats).map(([name, { accepts }]) => [name, accepts])),
  })
  ajv.addFormat('uri', (text) => URL.canParse(text))
  for (const [name, schema] of Object.entries(document.components['schemas'] ?? {}))
    if (typeof schema === 'object' && schema !== null) ajv.addSchema({ ...withAbsoluteReferences(schema), $id: ADDRESS + name })
  return ajv
}

/** Removes the mapping of a discriminator: the compiler selects variants by their tags alone. */
function withoutMapping(key: string, value: unknown): unknown {
  if (key !== 'discriminator' || typeof value !== 'object' || value === null || !('propertyName' in value)) return value
  return { propertyName: value.propertyName }
}

function withAbsoluteReferences(schema: object): object {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(COMPONENT, `${ADDRESS}$1`) : value,
  )
  return JSON.parse(text) as object
}

function firstProblem(validate: ValidateFunction, value: unknown): ValueProblem | undefined {
  if (validate(value)) return undefined
  // Among the variants of a union, the best match fails deepest.
  const [error] = (validate.errors ?? []).toSorted((a, b) => depth(b.instancePath) - depth(a.instancePath))
  if (!error) return { pointer: '', keyword: 'schema', text: 'does not match the schema' }
  const { instancePath, keyword, message, params } = error
  const detail = ['allowedValue', 'allowedValues', 'additionalProperty', 'unevaluatedProperty', 'tagValue']
    .filter((name) => name in params)
    .map((name) => ` ${JSON.stringify(params[name])}`)
  return { pointer: instancePath, keyword, text: `${message ?? 'does not match the schema'}${detail.join('')}` }
}

function depth(pointer: string): number {
  return pointer.split('/').length
}
