import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'node:url'
import type { CodeOptions, ErrorObject } from 'ajv'
import type { AnyValidateFunction } from 'ajv/dist/core.js'
import type { NextFunction, Response } from 'express'
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js'
import type { Operation } from '../../generated/operations.ts'
import { boundedCode } from './bounded_code.ts'
import { beginRun, collecting } from './collecting.ts'
import type { ContractDocument } from './document.ts'
import { formats } from './formats.ts'
import type { RequestParts } from './places.ts'
import type { KeyRule } from './violations.ts'

silenceUrlParse()

const JSON_TYPE = 'application/json'
/** Only where an operation takes no JSON: its fields then come in the shape of JSON all the same. */
const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** What is known of an operation whose requests are validated. */
export type CheckedOperation = Pick<Operation, 'path' | 'requestTypes'> & { readonly method: string }

/** The two schema compilers of express-openapi-validator: parameters are converted to their types, bodies are not. */
export interface Compilers {
  readonly parameters: Ajv2020
  readonly body: Ajv2020
}

/**
 * express-openapi-validator's request validator over a document whose schemas are shared (`shareSchemas`), with the operation
 * already found: its own search, which compiles every path pattern anew on each request, is left out (ADR 4).
 *
 * @param code how schemas are turned into code
 * @param knowsComponents false where all validators are there already and the components need not be known to the compilers
 */
export function makeRequestValidator(document: ContractDocument, code: CodeOptions, knowsComponents = true): RequestValidator {
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
  const known: Record<string, object | string> = {
    openapi: document.openapi,
    info: document.info,
    paths: {},
    components: knowsComponents ? document.components : {},
  }
  const validator = new RequestValidator(known as unknown as ConstructorParameters<typeof RequestValidator>[0], options)
  // Ajv has the schemas now. EOV would put them into the schema of every operation, where Ajv walks through all of them again.
  known['components'] = {}
  return validator
}

/** The compilers inside, which EOV does not show. */
export function compilersOf(validator: RequestValidator): Compilers {
  const [parameters, body]: unknown[] = [Reflect.get(validator, 'ajv'), Reflect.get(validator, 'ajvBody')]
  if (!(parameters instanceof Ajv2020) || !(body instanceof Ajv2020))
    throw new Error('express-openapi-validator changed inside: its validators are not where they were')
  return { parameters, body }
}

/** By what EOV finds the validators of an operation. */
export function validatorKey(operation: CheckedOperation): string {
  return `${operation.method.toUpperCase()}-${operation.path}-${bodyTypeOf(operation) ?? 'not_provided'}`
}

export interface RequestErrors {
  /** What the compiled validators reported: all of it, or where it is much, what an answer names. */
  readonly errors: readonly ErrorObject[]
  /** Whether an unknown key was taken out of the body. */
  readonly isChanged: boolean
}

/** Runs EOV on one request. @param ignoresKey unknown keys that are taken out of the body, in place, instead of reported */
export function requestErrors(
  validator: RequestValidator,
  document: ContractDocument,
  operation: CheckedOperation,
  parts: RequestParts,
  headers: Readonly<Record<string, string>>,
  ignoresKey?: KeyRule,
): RequestErrors {
  const bodyType = bodyTypeOf(operation)
  const request = {
    method: operation.method.toUpperCase(),
    path: operation.path,
    originalUrl: '/',
    headers: bodyType ? { ...headers, 'content-type': bodyType } : { ...headers },
    params: parts.path,
    query: parts.query,
    body: bodyType ? parts.body : undefined,
    openapi: {
      expressRoute: operation.path,
      openApiRoute: operation.path,
      pathParams: parts.path,
      schema: document.paths[operation.path]?.[operation.method],
      serial: 0,
    },
  }
  const run = beginRun(ignoresKey)
  try {
    validator.validate(
      request as unknown as Parameters<RequestValidator['validate']>[0],
      undefined as unknown as Response,
      noNext,
    )
    return { errors: [], isChanged: run.isChanged }
  } catch (refusal) {
    // EOV shortens what its validators report; the full errors stay on the compiled function until its next run.
    const { parameters, body } = compilersOf(validator)
    const key = validatorKey(operation)
    const errors = [parameters, body].flatMap((compiler) => takeErrors(compiler.getSchema(key)))
    if (errors.length === 0) throw refusal
    return { errors, isChanged: run.isChanged }
  }
}

function takeErrors(validate: AnyValidateFunction | undefined): ErrorObject[] {
  const errors = validate?.errors ?? []
  if (validate) validate.errors = null
  return errors
}

function bodyTypeOf(operation: CheckedOperation): string | undefined {
  return (
    operation.requestTypes.find((type) => type === JSON_TYPE) ?? operation.requestTypes.find((type) => FORM_TYPES.includes(type))
  )
}

const noNext: NextFunction = () => undefined

/**
 * EOV calls `url.parse` for every request. Until that has warned once of its own age, it looks at the stack each time for who calls it,
 * which takes as long as validating; so it gets to warn once, unheard.
 */
function silenceUrlParse(): void {
  const before = process.noDeprecation
  process.noDeprecation = true
  parse('/')
  process.noDeprecation = before ?? false
}
