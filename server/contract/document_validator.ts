import { elementLimits, elementViolations, type ElementLimits } from './block_elements.ts'
import { listParameters, type ContractDocument } from './document.ts'
import { EovAdapter, type CheckedOperation, type CompiledValidators, type RequestErrors } from './eov_adapter.ts'
import { Places, type RequestPlace, type RequestParts } from './places.ts'
import { shareSchemas } from './shared_schemas.ts'
import { violationError, type KeyRule, type Violation } from './violations.ts'

/** Half the time and memory of compiling, for a tenth more time in the largest bodies (ADR 4). */
const QUICKLY_COMPILED = { optimize: false }

/** One pass takes out every unknown key but those that show only once others are gone; the last finds what is wrong without them. */
const PASSES_MAX = 8

/** What is known of an operation of a document. */
export interface DescribedOperation extends CheckedOperation {
  readonly id: string
  readonly queryParameters: readonly string[]
}

/** Holds requests against one document, see `ContractValidator`. */
export class DocumentValidator {
  readonly #document: ContractDocument
  readonly #eov: EovAdapter
  readonly #elementLimits = new Map<string, ElementLimits>()
  readonly #lists = new Map<string, ReadonlySet<string>>()

  /** @param compiled the validators of the document, if they were compiled ahead */
  constructor(document: ContractDocument, compiled?: CompiledValidators) {
    this.#document = document
    shareSchemas(document)
    this.#eov = compiled ? EovAdapter.compiledAhead(document, compiled) : new EovAdapter(document, QUICKLY_COMPILED)
  }

  warm(operation: DescribedOperation): void {
    try {
      this.validate(operation, { path: {}, query: {}, body: {} }, {})
    } catch {
      // The empty request is refused; what counts is that its validators are compiled now.
    }
  }

  /** @throws ServiceError `validation_error` with the exact place of the first violation */
  validate(
    operation: DescribedOperation,
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

  listParameters(operation: DescribedOperation): ReadonlySet<string> {
    const known = this.#lists.get(operation.id)
    if (known) return known
    const lists = listParameters(this.#document, operation.method, operation.path)
    this.#lists.set(operation.id, lists)
    return lists
  }

  #limitsOf(operation: DescribedOperation): ElementLimits {
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
