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
import type { ContractDocument, Schema } from './document.ts'
import { formats } from './formats.ts'
import type { RequestParts } from './places.ts'
import type { KeyRule } from './violations.ts'

/*
 * The only file that knows express-openapi-validator (EOV). Of what EOV promises, its middleware, it uses nothing: that compiles every path
 * pattern on each request and shortens what its validators report (ADR 4). What is used instead is inside, and may change with any release;
 * each of these has a test of its own in tests/contract/eov_adapter.test.ts, which names it when it does:
 *
 *   the class      `RequestValidator` at `dist/middlewares/openapi.request.validator.js`, whose `validate` throws before it returns
 *   the request    the properties that it reads of a request, `openapi` above all, which its router would have put there
 *   the compilers  its private fields `ajv` (parameters, converted to their types) and `ajvBody`, both of the Ajv that is installed here
 *   the options    that it hands to them whatever it does not know: `collecting` and `code`
 *   the key        by which it asks a compiler for the validators of an operation, before it compiles any
 *   the look-up    that it asks a compiler for the validator of a component to read its schema, and for nothing else
 *   the components that it reads them from the document it was given whenever it builds a validator, not once
 *   the errors     that those of a refusal stay on the compiled function: those that it throws lack limits and values
 *   the warning    that it calls `url.parse` for every request
 */

const JSON_TYPE = 'application/json'
/** Only where an operation takes no JSON: its fields then come in the shape of JSON all the same. */
const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** What is known of an operation whose requests are validated. */
export type CheckedOperation = Pick<Operation, 'path' | 'requestTypes'> & { readonly method: string }

export interface RequestErrors {
  /** What the compiled validators reported: all of it, or where it is much, what an answer names. */
  readonly errors: readonly ErrorObject[]
  /** Whether an unknown key was taken out of the body. */
  readonly isChanged: boolean
}

/** The validators of both compilers. */
export interface CompiledValidators {
  readonly makeParameterValidators: MakeValidators
  readonly makeBodyValidators: MakeValidators
}

/** EOV's validation of requests over a document whose schemas are shared (`shareSchemas`), with the operation already found. */
export class EovAdapter {
  readonly #document: ContractDocument
  readonly #validator: RequestValidator
  /** Converts parameters to their types. */
  readonly parameters: Ajv2020
  /** Leaves bodies as they are. */
  readonly body: Ajv2020

  /**
   * @param code how schemas are turned into code
   * @param knowsComponents false where all validators are there already and the components need not be known to the compilers
   * @throws Error where EOV has changed inside
   */
  constructor(document: ContractDocument, code: CodeOptions, knowsComponents = true) {
    warnOfUrlParse()
    const known: Record<string, object | string> = {
      openapi: document.openapi,
      info: document.info,
      paths: {},
      components: knowsComponents ? document.components : {},
    }
    const own = known as unknown as ConstructorParameters<typeof RequestValidator>[0]
    const validator = new RequestValidator(own, optionsOf(code))
    // Ajv has the schemas now. EOV would put them into the schema of every operation, where Ajv walks through all of them again.
    known['components'] = {}
    const [parameters, body]: unknown[] = [Reflect.get(validator, 'ajv'), Reflect.get(validator, 'ajvBody')]
    if (!(parameters instanceof Ajv2020) || !(body instanceof Ajv2020))
      throw new Error('express-openapi-validator changed inside: its compilers are not where they were')
    this.#document = document
    this.#validator = validator
    this.parameters = parameters
    this.body = body
  }

  /**
   * With the validators that were compiled when the document was generated: what EOV would compile itself, ready in a twentieth of the
   * time (ADR 51).
   * @param compiled `generated/validators.js`, which is itself made with this class
   */
  static compiledAhead(document: ContractDocument, compiled: CompiledValidators): EovAdapter {
    const adapter = new EovAdapter(document, {}, false)
    fill(adapter.parameters, compiled.makeParameterValidators, document)
    fill(adapter.body, compiled.makeBodyValidators, document)
    return adapter
  }

  /** By what EOV asks its compilers for the validators of an operation. */
  static keyOf(operation: CheckedOperation): string {
    return `${operation.method.toUpperCase()}-${operation.path}-${bodyTypeOf(operation) ?? 'not_provided'}`
  }

  /** Validates one request. @param ignoresKey unknown keys that are taken out of the body, in place, instead of reported */
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
    // Unknown query parameters are judged by the caller, in the order path, query, body.
    allowUnknownQueryParameters: true,
    allErrors: true,
    verbose: true,
    // The contract's own words are made of what was expected.
    messages: false,
    discriminator: true,
    strict: false,
    validateSchema: false,
    // A default that the contract names is filled in by the domain: an update must tell "left out" from "sent".
    useDefaults: false,
    validateFormats: true,
    formats: Object.fromEntries(
      Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
    ),
    inlineRefs: false,
    // What Ajv compiles finds its options at the compiler.
    collecting,
    code: { ...code, process: (made: string) => `const {collecting} = self.opts;${boundedCode(made)}` },
  }
  return options
}

/** What EOV reads of a request whose operation it would have found itself. */
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

/** What compiled validators ask for by name. An import, unlike a name, is found in a bundle too. */
const RUNTIME = new Map<string, unknown>([['ajv/dist/runtime/ucs2length', ucs2length]])

function requireRuntime(name: string): unknown {
  if (!RUNTIME.has(name)) throw new Error(`The validators need ${name}: import it in ${import.meta.filename}.`)
  return RUNTIME.get(name)
}

/** Has a compiler find what is compiled already. */
function fill(compiler: Ajv2020, make: MakeValidators, { components: { schemas } }: ContractDocument): void {
  const validators = new Map(Object.entries(make(requireRuntime, compiler.formats, schemas, collecting)))
  const components = new Map(Object.values(schemas).map((schema) => [schema['$id'], schema]))
  compiler.getSchema = (key) => {
    const component = components.get(key)
    return validators.get(key) ?? (component && asLookedUp(component))
  }
}

function asLookedUp(schema: Schema): AnyValidateFunction {
  const validate = (_data: unknown): _data is unknown => {
    throw new Error(`${String(schema['$id'])} is not compiled by itself`)
  }
  return Object.assign(validate, { schema, schemaEnv: new SchemaEnv({ schema }) })
}

let hasWarned = false

/**
 * Until `url.parse` has warned once of its own age, it looks at the stack each time for who calls it, which takes as long as validating; so
 * it gets to warn once, unheard.
 */
function warnOfUrlParse(): void {
  if (hasWarned) return
  hasWarned = true
  const before = process.noDeprecation
  process.noDeprecation = true
  parse('/')
  process.noDeprecation = before ?? false
}

const noNext: NextFunction = () => undefined
