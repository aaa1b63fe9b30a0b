import { elementLimits, elementViolations, type ElementLimits } from './block_elements.ts'
import { arrayParameters, type ContractDocument } from './contract_document.ts'
import { replaceEmptyArrays } from './empty_arrays.ts'
import { RequestLocations, type RequestLocation, type RequestParts } from './locations.ts'
import { RequestValidators, type CheckedOperation, type CompiledValidators, type RequestErrors } from './request_validators.ts'
import { shareSchemas } from './share_schemas.ts'
import { violationError, type KeyRule, type Violation } from './violations.ts'

/** Halves the time and memory that compiling takes; validating the largest bodies takes a tenth longer. */
const UNOPTIMIZED = { optimize: false }

/** Each pass removes ignored keys, which can reveal further ones. The last pass finds the remaining errors. */
const PASSES_MAX = 8

/** The part of an operation that validation uses. */
export interface DescribedOperation extends CheckedOperation {
  readonly queryParameters: readonly string[]
}

/** Validates requests against one document, see `ContractValidator`. */
export class DocumentValidator {
  readonly #document: ContractDocument
  readonly #validators: RequestValidators
  readonly #elementLimits = new Map<string, ElementLimits>()
  readonly #arrayParameters = new Map<string, ReadonlySet<string>>()

  /** @param compiled the validators of the document, if they were compiled when it was generated */
  constructor(document: ContractDocument, compiled?: CompiledValidators) {
    this.#document = document
    shareSchemas(document)
    this.#validators = compiled
      ? RequestValidators.precompiled(document, compiled)
      : RequestValidators.compiling(document, UNOPTIMIZED)
  }

  /** As `ContractValidator.validate`. @throws ServiceError `validation_error` with the location of the first violation */
  validate(operation: DescribedOperation, parts: RequestParts, ignoresKey?: KeyRule): RequestParts {
    const unknown = Object.keys(parts.query).filter((name) => !operation.queryParameters.includes(name))
    const query = { ...parts.query }
    for (const name of unknown) delete query[name]
    const run = (): RequestErrors => this.#validators.errorsOf(operation, { ...parts, query }, ignoresKey)
    let { errors, isChanged } = run()
    for (let pass = 1; (isChanged || replaceEmptyArrays(errors, parts.body, '/body')) && pass < PASSES_MAX; pass += 1)
      ({ errors, isChanged } = run())
    const refused = ignoresKey ? unknown.filter((name) => !ignoresKey(name)) : unknown
    const locations = RequestLocations.ofRequest(parts)
    const others = [
      ...refused.map((name) => ({ ...queryLocation(locations, name), expectation: 'not present' })),
      ...nonDecimalNumbers(locations, parts, query),
      ...elementViolations(this.#limitsOf(operation), locations),
    ]
    if (errors.length > 0 || others.length > 0) throw violationError(errors, parts, others)
    return { path: parts.path, query, body: parts.body }
  }

  /** Names of the query parameters of an operation that are arrays, so that they may be repeated. */
  arrayParameters(operation: DescribedOperation): ReadonlySet<string> {
    const cached = this.#arrayParameters.get(operation.id)
    if (cached) return cached
    const names = arrayParameters(this.#document, operation.method, operation.path)
    this.#arrayParameters.set(operation.id, names)
    return names
  }

  #limitsOf(operation: DescribedOperation): ElementLimits {
    const cached = this.#elementLimits.get(operation.id)
    if (cached) return cached
    const limits = elementLimits(this.#document, operation)
    this.#elementLimits.set(operation.id, limits)
    return limits
  }
}

/** Ajv converts numbers as JavaScript does (`0x10`, `1e1`, ` 5`, an empty text); the contract allows only decimal digits. */
function nonDecimalNumbers(locations: RequestLocations, parts: RequestParts, converted: RequestParts['query']): Violation[] {
  return Object.entries(converted)
    .filter(([name, value]) => typeof value === 'number' && String(value) !== parts.query[name])
    .map(([name]) => ({ ...queryLocation(locations, name), expectation: 'an integer' }))
}

function queryLocation(locations: RequestLocations, name: string): RequestLocation {
  return locations.child(locations.at('/query'), name)
}
