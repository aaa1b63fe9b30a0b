import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'node:url'
import type { ErrorObject } from 'ajv'
import type { NextFunction, Response } from 'express'
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js'
import { betas, flagOf } from './betas.ts'
import { elementLimits, elementViolations, type ElementLimits } from './block_elements.ts'
import { listParameters, loadContract, type ContractDocument } from './document.ts'
import { formats } from './formats.ts'
import type { Operation } from './operation.ts'
import type { RequestParts } from './places.ts'
import { shareSchemas } from './shared_schemas.ts'
import { removeUnknownKeys, toServiceError, type Violation } from './violations.ts'

silenceUrlParse()

const JSON_TYPE = 'application/json'
/** Only where an operation takes no JSON: its fields then come in the shape of JSON all the same. */
const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data']

type KeyRule = (key: string) => boolean

/** One pass finds every unknown key but those that show only once others are gone. */
const REMOVAL_PASSES_MAX = 8

/**
 * Holds requests against the contract. express-openapi-validator's request validator does it, with the operation already
 * found: its own search, which compiles every path pattern anew on each request, is left out (ADR 4).
 */
export class ContractValidator {
  readonly #byBetas = new Map<string, DocumentValidator>()

  /**
   * @param activeBetas flags that tighten the contract for this request
   * @param ignoresKey unknown keys that are left out instead of refused; the body is changed in place
   * @returns the parts with query values in their declared types and defaults filled in
   * @throws ServiceError `validation_error` with the exact place of the first violation
   */
  validate(
    operation: Operation,
    parts: RequestParts,
    headers: Readonly<Record<string, string>>,
    activeBetas: readonly string[] = [],
    ignoresKey?: KeyRule,
  ): RequestParts {
    return this.#validatorFor(activeBetas).validate(operation, parts, headers, ignoresKey)
  }

  /** Query parameters of an operation that are lists and may be repeated. */
  listParameters(operation: Operation): ReadonlySet<string> {
    return this.#validatorFor([]).listParameters(operation)
  }

  /** Compiles the validators of the given operations, so that no request pays for it. */
  warm(operations: readonly Operation[]): void {
    const validator = this.#validatorFor([])
    for (const operation of operations) validator.warm(operation)
  }

  #validatorFor(activeBetas: readonly string[]): DocumentValidator {
    const key = activeBetas.toSorted().join(',')
    const known = this.#byBetas.get(key)
    if (known) return known
    const document = loadContract()
    for (const beta of betas) if (activeBetas.includes(flagOf(beta))) beta.tighten(document)
    const validator = new DocumentValidator(document)
    this.#byBetas.set(key, validator)
    return validator
  }
}

let shared: ContractValidator | undefined

/** The validator of this process: compiled once, however many services it starts. */
export function sharedValidator(): ContractValidator {
  return (shared ??= new ContractValidator())
}

class DocumentValidator {
  readonly #document: ContractDocument
  readonly #eov: RequestValidator
  readonly #elementLimits = new Map<string, ElementLimits>()
  readonly #lists = new Map<string, ReadonlySet<string>>()

  constructor(document: ContractDocument) {
    this.#document = document
    const options = {
      // Unknown query parameters are judged here, in the order path, query, body.
      allowUnknownQueryParameters: true,
      allErrors: true,
      verbose: true,
      discriminator: true,
      strict: false,
      validateSchema: false,
      // A default that the contract names is filled in by the domain: an update must tell "left out" from "sent".
      useDefaults: false,
      validateFormats: true,
      formats: Object.fromEntries(
        Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
      ),
      // Half the time and memory of compiling, for a tenth more time in the largest bodies (ADR 4).
      inlineRefs: false,
      code: { optimize: false },
    }
    shareSchemas(document)
    const known: Record<string, object | string> = {
      openapi: document.openapi,
      info: document.info,
      paths: {},
      components: document.components,
    }
    this.#eov = new RequestValidator(known as unknown as ConstructorParameters<typeof RequestValidator>[0], options)
    // Ajv has the schemas now. EOV would put them into the schema of every operation, where Ajv walks through all of them again.
    known['components'] = {}
  }

  warm(operation: Operation): void {
    try {
      this.validate(operation, { path: {}, query: {}, body: {} }, {})
    } catch {
      // The empty request is refused; what counts is that its validators are compiled now.
    }
  }

  validate(
    operation: Operation,
    parts: RequestParts,
    headers: Readonly<Record<string, string>>,
    ignoresKey?: KeyRule,
  ): RequestParts {
    const unknown = Object.keys(parts.query).filter((name) => !operation.queryParameters.includes(name))
    const query = { ...parts.query }
    for (const name of unknown) delete query[name]
    let errors = this.#run(operation, { ...parts, query }, headers)
    for (let pass = 0; ignoresKey && pass < REMOVAL_PASSES_MAX && removeUnknownKeys(errors, parts, ignoresKey); pass += 1) {
      errors = this.#run(operation, { ...parts, query }, headers)
    }
    const refused = ignoresKey ? unknown.filter((name) => !ignoresKey(name)) : unknown
    const others = [
      ...refused.map((name) => unknownParameter(name, parts)),
      ...oddNumbers(parts, query),
      ...elementViolations(this.#limitsOf(operation), parts.body),
    ]
    if (errors.length > 0 || others.length > 0) throw toServiceError(errors, parts, others)
    return { path: parts.path, query, body: parts.body }
  }

  listParameters(operation: Operation): ReadonlySet<string> {
    const known = this.#lists.get(operation.id)
    if (known) return known
    const lists = listParameters(this.#document, operation.method, operation.path)
    this.#lists.set(operation.id, lists)
    return lists
  }

  #limitsOf(operation: Operation): ElementLimits {
    const known = this.#elementLimits.get(operation.id)
    if (known) return known
    const limits = elementLimits(this.#document, operation)
    this.#elementLimits.set(operation.id, limits)
    return limits
  }

  /** Runs EOV on one request. @returns every error the compiled validators reported */
  #run(operation: Operation, parts: RequestParts, headers: Readonly<Record<string, string>>): readonly ErrorObject[] {
    const bodyType =
      operation.requestTypes.find((type) => type === JSON_TYPE) ??
      operation.requestTypes.find((type) => FORM_TYPES.includes(type))
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
        schema: this.#document.paths[operation.path]?.[operation.method],
        serial: 0,
      },
    }
    try {
      this.#eov.validate(
        request as unknown as Parameters<RequestValidator['validate']>[0],
        undefined as unknown as Response,
        noNext,
      )
      return []
    } catch (refusal) {
      const key = `${request.method}-${operation.path}-${bodyType ?? 'not_provided'}`
      const errors = ['ajv', 'ajvBody'].flatMap((name) => compiledErrors(Reflect.get(this.#eov, name), key))
      if (errors.length === 0) throw refusal
      return errors
    }
  }
}

/** EOV reads numbers as JavaScript does (`0x10`, `1e1`, ` 5`, nothing at all); the contract knows decimal digits alone. */
function oddNumbers(parts: RequestParts, converted: RequestParts['query']): Violation[] {
  return Object.entries(converted)
    .filter(([name, value]) => typeof value === 'number' && String(value) !== parts.query[name])
    .map(([name]) => ({ path: `query.${name}`, expectation: 'an integer', value: parts.query[name] }))
}

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

function unknownParameter(name: string, parts: RequestParts): Violation {
  return { path: `query.${name}`, expectation: 'not present', value: parts.query[name] }
}

const noNext: NextFunction = () => undefined

/** EOV shortens what its validators report; the full errors stay on the compiled function until its next run. */
function compiledErrors(ajv: unknown, key: string): readonly ErrorObject[] {
  if (!(ajv instanceof Ajv2020))
    throw new Error('express-openapi-validator changed inside: its validators are not where they were')
  return ajv.getSchema(key)?.errors ?? []
}
