import * as compiled from '../../generated/validators.js'
import { betas, flagOf } from './betas.ts'
import { elementLimits, elementViolations, type ElementLimits } from './block_elements.ts'
import { arrayParameters, loadContractDocument, type ContractDocument } from './contract_document.ts'
import { EovAdapter, type RequestErrors } from './eov_adapter.ts'
import type { Operation } from './operation.ts'
import { Places, type RequestPlace, type RequestParts } from './places.ts'
import { shareSchemas } from './share_schemas.ts'
import { violationError, type KeyRule, type Violation } from './violations.ts'

/** For betas. Halves the time and memory that compiling takes; validating the largest bodies takes a tenth longer (ADR 4). */
const UNOPTIMIZED = { optimize: false }

/** Each pass removes ignored keys, which can reveal further ones. The last pass finds what else is wrong. */
const PASSES_MAX = 8

/** Validates requests against the contract by means of express-openapi-validator, see `EovAdapter`. */
export class ContractValidator {
  readonly #byBetas = new Map<string, DocumentValidator>()

  /**
   * @param headers header parameters of the request, by lower-case name
   * @param activeBetas the beta flags of the request
   * @param ignoresKey tells which unknown keys are removed instead of refused; the body is changed in place
   * @returns the parts, with query values converted to their types
   * @throws ServiceError `validation_error` with the place of the first violation
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

  /** Names of the query parameters of an operation that are arrays, so that they may be repeated. */
  arrayParameters(operation: Operation): ReadonlySet<string> {
    return this.#validatorFor([]).arrayParameters(operation)
  }

  /** Prepares the validators of the given operations, so that no request has to wait for it. */
  warm(operations: readonly Operation[]): void {
    const validator = this.#validatorFor([])
    for (const operation of operations) validator.warm(operation)
  }

  #validatorFor(activeBetas: readonly string[]): DocumentValidator {
    const key = activeBetas.toSorted().join(',')
    const cached = this.#byBetas.get(key)
    if (cached) return cached
    const document = loadContractDocument()
    for (const beta of betas) if (activeBetas.includes(flagOf(beta))) beta.tighten(document)
    const validator = new DocumentValidator(document, activeBetas.length === 0)
    this.#byBetas.set(key, validator)
    return validator
  }
}

let shared: ContractValidator | undefined

/** The validator that all services of this process share. */
export function sharedValidator(): ContractValidator {
  return (shared ??= new ContractValidator())
}

class DocumentValidator {
  readonly #document: ContractDocument
  readonly #eov: EovAdapter
  readonly #elementLimits = new Map<string, ElementLimits>()
  readonly #arrayParameters = new Map<string, ReadonlySet<string>>()

  /** @param isUnchanged whether the document is the contract without betas, whose validators were compiled when it was generated */
  constructor(document: ContractDocument, isUnchanged: boolean) {
    this.#document = document
    shareSchemas(document)
    this.#eov = isUnchanged ? EovAdapter.precompiled(document, compiled) : new EovAdapter(document, UNOPTIMIZED)
  }

  warm(operation: Operation): void {
    try {
      this.validate(operation, { path: {}, query: {}, body: {} }, {})
    } catch {
      // The empty request may be invalid; its validators have been prepared all the same.
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
    const run = (): RequestErrors => this.#eov.errorsOf(operation, { ...parts, query }, headers, ignoresKey)
    let { errors, isChanged } = run()
    for (let pass = 1; isChanged && pass < PASSES_MAX; pass += 1) ({ errors, isChanged } = run())
    const refused = ignoresKey ? unknown.filter((name) => !ignoresKey(name)) : unknown
    const places = Places.ofRequest(parts)
    const others = [
      ...refused.map((name) => ({ ...queryPlace(places, name), expectation: 'not present' })),
      ...nonDecimalNumbers(places, parts, query),
      ...elementViolations(this.#limitsOf(operation), places),
    ]
    if (errors.length > 0 || others.length > 0) throw violationError(errors, parts, others)
    return { path: parts.path, query, body: parts.body }
  }

  arrayParameters(operation: Operation): ReadonlySet<string> {
    const cached = this.#arrayParameters.get(operation.id)
    if (cached) return cached
    const names = arrayParameters(this.#document, operation.method, operation.path)
    this.#arrayParameters.set(operation.id, names)
    return names
  }

  #limitsOf(operation: Operation): ElementLimits {
    const cached = this.#elementLimits.get(operation.id)
    if (cached) return cached
    const limits = elementLimits(this.#document, operation)
    this.#elementLimits.set(operation.id, limits)
    return limits
  }
}

/** EOV converts numbers as JavaScript does (`0x10`, `1e1`, ` 5`, an empty text); the contract allows only decimal digits. */
function nonDecimalNumbers(places: Places, parts: RequestParts, converted: RequestParts['query']): Violation[] {
  return Object.entries(converted)
    .filter(([name, value]) => typeof value === 'number' && String(value) !== parts.query[name])
    .map(([name]) => ({ ...queryPlace(places, name), expectation: 'an integer' }))
}

function queryPlace(places: Places, name: string): RequestPlace {
  return places.child(places.at('/query'), name)
}
