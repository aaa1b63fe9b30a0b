import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { CodeOptions, ErrorObject, Options, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { Operation } from '../../generated/operations.ts'
import type { MakeValidators } from '../../generated/validators.js'
import { boundedAjv, type ValidationRun } from './bounded_keywords.ts'
import type { ContractDocument, JsonSchema } from './contract_document.ts'
import { formats } from './formats.ts'
import type { RequestParts } from './locations.ts'
import type { KeyRule } from './violations.ts'

const JSON_TYPE = 'application/json'
/** The fields of a form are validated as an object. */
const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** The part of an operation that choosing its validators uses. */
export type CheckedOperation = Pick<Operation, 'path' | 'requestTypes'> & { readonly id: string; readonly method: string }

export interface RequestErrors {
  readonly errors: readonly ErrorObject[]
  /** Whether an unknown key has been removed from the body. */
  readonly isChanged: boolean
}

/** The exports of `generated/validators.js`, or of the same file for another document. */
export interface CompiledValidators {
  readonly makeParameterValidators: MakeValidators
  readonly makeBodyValidators: MakeValidators
}

/** Finds the validator of an operation by its id; undefined if it has nothing to validate. */
type FindValidator = (operation: CheckedOperation) => ValidateFunction | undefined

/** The validators of a document's requests. `shareSchemas` must have prepared the document. */
export class RequestValidators {
  readonly #parameters: FindValidator
  readonly #body: FindValidator

  constructor(parameters: FindValidator, body: FindValidator) {
    this.#parameters = parameters
    this.#body = body
  }

  /** Validators that are compiled when an operation is first called. @param code options for Ajv's code generation */
  static compiling(document: ContractDocument, code: CodeOptions): RequestValidators {
    const { parameters, body } = compilersOf(document, code)
    return new RequestValidators(
      ({ id }) => parameters.getSchema(id),
      ({ id }) => body.getSchema(id),
    )
  }

  /** Validators that `npm run generate` has compiled, which takes a twentieth of the time. */
  static precompiled({ components: { schemas } }: ContractDocument, compiled: CompiledValidators): RequestValidators {
    const find = (make: MakeValidators): FindValidator => {
      const validators = make(requireRuntime, ajvFormats, schemas)
      return ({ id }) => validators[id]
    }
    return new RequestValidators(find(compiled.makeParameterValidators), find(compiled.makeBodyValidators))
  }

  /**
   * Validates a request, and converts its query values to their types in place.
   * @param ignoresKey tells which unknown keys are removed from the body, in place, instead of reported
   */
  errorsOf(operation: CheckedOperation, { path, query, body }: RequestParts, ignoresKey?: KeyRule): RequestErrors {
    let isChanged = false
    const run: ValidationRun = {
      removes: (object, key) => {
        if (ignoresKey?.(key) !== true) return false
        isChanged = true
        return Reflect.deleteProperty(object, key)
      },
    }
    const errors = [
      ...errorsBy(this.#parameters(operation), run, { params: path, query }),
      ...errorsBy(this.#body(operation), run, { body }),
    ]
    return { errors, isChanged }
  }
}

function errorsBy(validate: ValidateFunction | undefined, run: ValidationRun, value: object): readonly ErrorObject[] {
  if (validate === undefined || validate.call(run, value)) return []
  const errors = validate.errors ?? []
  // Errors refer to the body, which would stay in memory until the validator fails again.
  validate.errors = null
  return errors
}

/** Compilers that have the schemas of all operations, by operation id. */
export function compilersOf(document: ContractDocument, code: CodeOptions): Readonly<Record<'parameters' | 'body', Ajv2020>> {
  const parameters = boundedAjv({ ...options, code, coerceTypes: true })
  const body = boundedAjv({ ...options, code })
  body.addSchema(Object.values(document.components.schemas))
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const id = operation.operationId
      parameters.addSchema(parametersSchema(document, path, method), id)
      const schema = bodySchema(document, path, method)
      if (schema) body.addSchema(schema, id)
    }
  return { parameters, body }
}

const ajvFormats = Object.fromEntries(
  Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
)

const options: Options = {
  allErrors: true,
  verbose: true,
  // Messages are made from the keywords and schemas of errors instead.
  messages: false,
  discriminator: true,
  strict: false,
  validateSchema: false,
  meta: false,
  // The domain fills in defaults, because an update must tell a key that was left out from one that was sent.
  useDefaults: false,
  formats: ajvFormats,
  inlineRefs: false,
}

function parametersSchema(document: ContractDocument, path: string, method: string): JsonSchema {
  const parameters = document.paths[path]?.[method]?.parameters ?? []
  // Steps of the request's chain read and check headers.
  const within = (location: string): JsonSchema => {
    const own = parameters.filter((parameter) => parameter.in === location)
    return {
      type: 'object',
      properties: Object.fromEntries(own.map(({ name, schema = {} }) => [name, schema])),
      required: own.filter(({ required }) => required === true).map(({ name }) => name),
    }
  }
  return { type: 'object', properties: { query: within('query'), params: within('path') } }
}

function bodySchema(document: ContractDocument, path: string, method: string): JsonSchema | undefined {
  const { content, required } = document.paths[path]?.[method]?.requestBody ?? {}
  const type = [JSON_TYPE, ...FORM_TYPES].find((one) => content?.[one] !== undefined)
  if (content === undefined || type === undefined) return undefined
  return { type: 'object', properties: { body: content[type]?.schema ?? {} }, required: required === true ? ['body'] : [] }
}

/** Modules that compiled validators require by name. They are imported above, so that bundlers find them. */
const RUNTIME = new Map<string, unknown>([['ajv/dist/runtime/ucs2length', ucs2length]])

function requireRuntime(name: string): unknown {
  if (!RUNTIME.has(name)) throw new Error(`The validators need ${name}: import it in ${import.meta.filename}.`)
  return RUNTIME.get(name)
}
