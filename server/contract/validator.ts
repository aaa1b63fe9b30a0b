import * as compiled from '../../generated/validators.js'
import { betas, flagOf } from './betas.ts'
import { elementLimits, elementViolations, type ElementLimits } from './block_elements.ts'
import { listParameters, loadContract, type ContractDocument } from './document.ts'
import { EovAdapter, type RequestErrors } from './eov_adapter.ts'
import type { Operation } from './operation.ts'
import { Places, type RequestPlace, type RequestParts } from './places.ts'
import { shareSchemas } from './shared_schemas.ts'
import { violationError, type KeyRule, type Violation } from './violations.ts'

/** For betas: half the time and memory of compiling, for a tenth more time in the largest bodies (ADR 4). */
const QUICKLY_COMPILED = { optimize: false }

/** One pass takes out every unknown key but those that show only once others are gone; the last finds what is wrong without them. */
const PASSES_MAX = 8

/**
 * Holds requests against the contract. express-openapi-validator does it, with the operation already found (see `EovAdapter`).
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
    const validator = new DocumentValidator(document, activeBetas.length === 0)
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
  readonly #eov: EovAdapter
  readonly #elementLimits = new Map<string, ElementLimits>()
  readonly #lists = new Map<string, ReadonlySet<string>>()

  /** @param isAhead whether the document is the contract as it was generated, whose validators are compiled ahead */
  constructor(document: ContractDocument, isAhead: boolean) {
    this.#document = document
    shareSchemas(document)
    this.#eov = isAhead ? EovAdapter.compiledAhead(document, compiled) : new EovAdapter(document, QUICKLY_COMPILED)
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
    const run = (): RequestErrors => this.#eov.errorsOf(operation, { ...parts, query }, headers, ignoresKey)
    let { errors, isChanged } = run()
    for (let pass = 1; isChanged && pass < PASSES_MAX; pass += 1) ({ errors, isChanged } = run())
    const refused = ignoresKey ? unknown.filter((name) => !ignoresKey(name)) : unknown
    const places = Places.ofRequest(parts)
    const others = [
      ...refused.map((name) => ({ ...queryPlace(places, name), expectation: 'not present' })),
      ...oddNumbers(places, parts, query),
      ...elementViolations(this.#limitsOf(operation), places),
    ]
    if (errors.length > 0 || others.length > 0) throw violationError(errors, parts, others)
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
}

/** EOV reads numbers as JavaScript does (`0x10`, `1e1`, ` 5`, nothing at all); the contract knows decimal digits alone. */
function oddNumbers(places: Places, parts: RequestParts, converted: RequestParts['query']): Violation[] {
  return Object.entries(converted)
    .filter(([name, value]) => typeof value === 'number' && String(value) !== parts.query[name])
    .map(([name]) => ({ ...queryPlace(places, name), expectation: 'an integer' }))
}

function queryPlace(places: Places, name: string): RequestPlace {
  return places.child(places.at('/query'), name)
}
