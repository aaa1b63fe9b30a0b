import { parse } from 'node:url'
import { SchemaEnv } from 'ajv/dist/compile/index.js'
import type { CodeOptions, ErrorObject } from 'ajv'
import type { AnyValidateFunction } from 'ajv/dist/core.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { NextFunction, Response } from 'express'
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js'
import type { Operation } from '../../generated/operations.ts'
import type { MakeValidators } from '../../generated/validators.js'
import { boundedCode } from './bounded_code.ts'
import { beginRun, collecting } from './collecting.ts'
import type { ContractDocument, JsonSchema } from './contract_document.ts'
import { formats } from './formats.ts'
import type { RequestParts } from './places.ts'
import type { KeyRule } from './violations.ts'

/*
 * The only file that depends on express-openapi-validator (EOV). It does not use EOV's public interface, its middleware, which compiles each
 * path pattern again for every request and drops details of validation errors (decisions/009-eov-behind-one-adapter.md). It uses
 * these internals instead, which any release may change. Each has a test in tests/contract/eov_adapter.test.ts, which fails with its name if it does:
 *
 *   the class      `RequestValidator` in `dist/middlewares/openapi.request.validator.js`; its `validate` throws synchronously
 *   the request    `validate` reads certain properties of the request, above all `openapi`, which EOV's own router would set
 *   the compilers  the private fields `ajv` (for parameters, which it converts) and `ajvBody`, both from the Ajv that is installed here
 *   the options    options that EOV does not know, `collecting` and `code`, are passed on to the compilers
 *   the key        the key by which EOV looks for the validators of an operation before it compiles them
 *   the look-up    EOV gets the validator of a component only in order to read its schema
 *   the components EOV reads the components from the document whenever it builds a validator, not only once
 *   the errors     the errors of a refused request remain on the compiled function; those that EOV throws lack limits and values
 *   the warning    EOV calls `url.parse` for every request
 */

const JSON_TYPE = 'application/json'
/** Used for operations that accept no JSON. Their fields are passed as an object all the same. */
const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** What validation needs to know about an operation. */
export type CheckedOperation = Pick<Operation, 'path' | 'requestTypes'> & { readonly method: string }

/** For compilers that get their validators made: they need no schema of schemas. */
const COMPILES_NOTHING = { meta: false }

export interface RequestErrors {
  /** What the compiled validators reported; if there are many errors, only those that an answer names. */
  readonly errors: readonly ErrorObject[]
  /** Whether an unknown key has been removed from the body. */
  readonly isChanged: boolean
}

/** `generated/validators.js`, or the like for another document. */
export interface CompiledValidators {
  readonly makeParameterValidators: MakeValidators
  readonly makeBodyValidators: MakeValidators
}

/** Validates requests with EOV. The document must have been prepared by `shareSchemas`; the operation of a request must be known. */
export class EovAdapter {
  readonly #document: ContractDocument
  readonly #validator: RequestValidator
  readonly #parameterValidators = new Map<CheckedOperation, AnyValidateFunction>()
  /** Compiler for parameters, whose validators convert values to their types. */
  readonly parameters: Ajv2020
  /** Compiler for bodies, whose validators convert nothing. */
  readonly body: Ajv2020

  /**
   * @param code options for Ajv's code generation
   * @param knowsComponents false if all validators are compiled already, so that the compilers need no components
   * @throws Error if EOV's internals have changed
   */
  constructor(document: ContractDocument, code: CodeOptions, knowsComponents = true) {
    silenceUrlParse()
    const known: Record<string, object | string> = {
      openapi: document.openapi,
      info: document.info,
      paths: {},
      components: knowsComponents ? document.components : {},
    }
    const own = known as unknown as ConstructorParameters<typeof RequestValidator>[0]
    const validator = new RequestValidator(own, { ...optionsOf(code), ...(knowsComponents ? {} : COMPILES_NOTHING) })
    // Ajv has the schemas now. EOV would also copy them into the schema of each operation, where Ajv would process all of them again.
    known['components'] = {}
    const [parameters, body]: unknown[] = [Reflect.get(validator, 'ajv'), Reflect.get(validator, 'ajvBody')]
    if (!(parameters instanceof Ajv2020) || !(body instanceof Ajv2020))
      throw new Error('The internals of express-openapi-validator have changed: its compilers were not found.')
    this.#document = document
    this.#validator = validator
    this.parameters = parameters
    this.body = body
  }

  /**
   * Makes an adapter with precompiled validators, which takes a twentieth of the time that EOV needs to compile them.
   * @param compiled `generated/validators.js`, which was generated from the same document with this class
   */
  static precompiled(document: ContractDocument, compiled: CompiledValidators): EovAdapter {
    const adapter = new EovAdapter(document, {}, false)
    usePrecompiled(adapter.parameters, compiled.makeParameterValidators, document)
    usePrecompiled(adapter.body, compiled.makeBodyValidators, document)
    return adapter
  }

  /** The key by which EOV looks for the validators of an operation. */
  static keyOf(operation: CheckedOperation): string {
    return `${operation.method.toUpperCase()}-${operation.path}-${bodyTypeOf(operation) ?? 'not_provided'}`
  }

  /**
   * Whether a request without a query and a body is valid. Nothing of it has to be converted, so the validator that EOV would call is called
   * directly: EOV's preparations take several times as long.
   * @returns false also for an operation that `errorsOf` has not prepared yet, and for one that takes a body
   */
  accepts(operation: CheckedOperation, path: RequestParts['path'], headers: Readonly<Record<string, string>>): boolean {
    const validate = this.#parameterValidators.get(operation) ?? this.#parameterValidatorOf(operation)
    if (!validate) return false
    beginRun(undefined)
    return validate({ query: {}, headers, params: path }) === true
  }

  #parameterValidatorOf(operation: CheckedOperation): AnyValidateFunction | undefined {
    const validate = bodyTypeOf(operation) === undefined ? this.parameters.getSchema(EovAdapter.keyOf(operation)) : undefined
    if (validate) this.#parameterValidators.set(operation, validate)
    return validate
  }

  /** Validates one request. @param ignoresKey tells which unknown keys are removed from the body, in place, instead of reported */
  errorsOf(
    operation: CheckedOperation,
    parts: RequestParts,
    headers: Readonly<Record<string, string>>,
    ignoresKey?: KeyRule,
  ): RequestErrors {
    const request = requestOf(this.#document, operation, parts, headers)
    const run = beginRun(ignoresKey)
    try {
      this.#validator.validate(request, undefined as unknown as Response, noNext)
      return { errors: [], isChanged: run.isChanged }
    } catch (refusal) {
      const key = EovAdapter.keyOf(operation)
      const errors = [this.parameters, this.body].flatMap((compiler) => takeErrors(compiler.getSchema(key)))
      if (errors.length === 0) throw refusal
      return { errors, isChanged: run.isChanged }
    }
  }
}

function optionsOf(code: CodeOptions): ConstructorParameters<typeof RequestValidator>[1] & object {
  const options = {
    // The caller checks unknown query parameters, because violations are reported in the order path, query, body.
    allowUnknownQueryParameters: true,
    allErrors: true,
    verbose: true,
    // Messages are made from the keywords and schemas of errors instead.
    messages: false,
    discriminator: true,
    strict: false,
    validateSchema: false,
    // The domain fills in defaults, because an update must tell a key that was left out from one that was sent.
    useDefaults: false,
    validateFormats: true,
    formats: Object.fromEntries(
      Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
    ),
    inlineRefs: false,
    // Compiled code reads this option as `self.opts.collecting`.
    collecting,
    code: { ...code, process: (made: string) => `const {collecting} = self.opts;${boundedCode(made)}` },
  }
  return options
}

/** A request as EOV would get it from its own router. */
function requestOf(
  document: ContractDocument,
  operation: CheckedOperation,
  { path, query, body }: RequestParts,
  headers: Readonly<Record<string, string>>,
): Parameters<RequestValidator['validate']>[0] {
  const bodyType = bodyTypeOf(operation)
  const request = {
    method: operation.method.toUpperCase(),
    path: operation.path,
    originalUrl: '/',
    headers: bodyType ? { ...headers, 'content-type': bodyType } : { ...headers },
    params: path,
    query,
    body: bodyType ? body : undefined,
    openapi: {
      expressRoute: operation.path,
      openApiRoute: operation.path,
      pathParams: path,
      schema: document.paths[operation.path]?.[operation.method],
      serial: 0,
    },
  }
  return request as unknown as Parameters<RequestValidator['validate']>[0]
}

function bodyTypeOf(operation: CheckedOperation): string | undefined {
  return (
    operation.requestTypes.find((type) => type === JSON_TYPE) ?? operation.requestTypes.find((type) => FORM_TYPES.includes(type))
  )
}

function takeErrors(validate: AnyValidateFunction | undefined): ErrorObject[] {
  const errors = validate?.errors ?? []
  if (validate) validate.errors = null
  return errors
}

/** Modules that compiled validators require by name. They are imported above, so that bundlers find them. */
const RUNTIME = new Map<string, unknown>([['ajv/dist/runtime/ucs2length', ucs2length]])

function requireRuntime(name: string): unknown {
  if (!RUNTIME.has(name)) throw new Error(`The validators need ${name}: import it in ${import.meta.filename}.`)
  return RUNTIME.get(name)
}

/** Makes a compiler return precompiled validators. */
function usePrecompiled(compiler: Ajv2020, make: MakeValidators, { components: { schemas } }: ContractDocument): void {
  const validators = new Map(Object.entries(make(requireRuntime, compiler.formats, schemas, collecting)))
  const components = new Map(Object.values(schemas).map((schema) => [schema['$id'], schema]))
  compiler.getSchema = (key) => {
    const component = components.get(key)
    return validators.get(key) ?? (component && schemaOnly(component))
  }
}

/** Stands for the validator of a component; EOV reads only its schema. */
function schemaOnly(schema: JsonSchema): AnyValidateFunction {
  const validate = (_data: unknown): _data is unknown => {
    throw new Error(`${String(schema['$id'])} is not compiled by itself`)
  }
  return Object.assign(validate, { schema, schemaEnv: new SchemaEnv({ schema }) })
}

let hasWarned = false

/**
 * Triggers the deprecation warning of `url.parse` once, without printing it. Until it has been triggered, each call of `url.parse` inspects
 * the stack to find its caller, which takes as long as the validation.
 */
function silenceUrlParse(): void {
  if (hasWarned) return
  hasWarned = true
  const before = process.noDeprecation
  process.noDeprecation = true
  parse('/')
  process.noDeprecation = before ?? false
}

const noNext: NextFunction = () => undefined
