import { brandedOperations, brandedSchemas, type BrandedOperation, type BrandedLocation } from '../../generated/branded_values.ts'
import { isObject } from '../kernel/is_object.ts'
import type { RequestParts } from './locations.ts'

/** The word of the headers without a brand. */
const OWN_WORD = 'Service'

/** The form of a branded value, such as `{brand}_ai`, for a brand: `acme_ai`. */
export function brandedForm(form: string, brand: string): string {
  return form.replaceAll('{brand}', brand.toLowerCase())
}

/**
 * Translates values that carry the maker's name, such as `service_ai`, between the forms of this service and of a brand. Only
 * values that the contract marks `x-branded` are changed, never ordinary text with the same wording.
 */
export class BrandedValues {
  readonly #toOwn: Translator
  readonly #toBranded: Translator

  private constructor(brand: string) {
    this.#toOwn = new Translator(brand, 'own')
    this.#toBranded = new Translator(brand, 'branded')
  }

  /** @returns undefined if there is no brand: requests and responses need no search */
  static of(brand = OWN_WORD): BrandedValues | undefined {
    return brand === OWN_WORD ? undefined : new BrandedValues(brand)
  }

  /** A request with own values in place of the brand's. Own values are accepted as well. The body is changed in place. */
  ownRequest<Request extends RequestParts>(operationId: string, request: Request): Request {
    const locations = locationsOf(operationId)
    if (locations === undefined) return request
    return {
      ...request,
      path: this.#toOwn.translate(locations.path, { ...request.path }),
      query: this.#toOwn.translate(locations.query, { ...request.query }),
      body: this.#toOwn.translate(locations.body, request.body),
    }
  }

  /** Whether the requests or responses of an operation contain such values. */
  static isIn(part: keyof BrandedOperation, operationId: string): boolean {
    return locationsOf(operationId)?.[part] !== undefined
  }

  /** A response of a deployment of the brand with own values, changed in place. */
  ownResponse(operationId: string, response: object): object {
    return this.#toOwn.translate(locationsOf(operationId)?.response, response)
  }

  /** A copy of a response with the brand's values. Unchanged parts are not copied. */
  brandedResponse(operationId: string, response: object): object {
    return this.#toBranded.translate(locationsOf(operationId)?.response, response)
  }
}

function locationsOf(operationId: string): BrandedOperation | undefined {
  return Object.hasOwn(brandedOperations, operationId) ? brandedOperations[operationId] : undefined
}

/** Translates values at given locations. */
export class Translator {
  readonly #brand: string
  readonly #schemas: Readonly<Record<string, BrandedLocation>>
  /** Own forms replace branded ones in place: error messages find the parts of a request by their identity. */
  readonly #to: 'own' | 'branded'
  readonly #values = new WeakMap<object, ReadonlyMap<string, string>>()
  readonly #tags = new WeakMap<object, ReadonlySet<string>>()

  /** @param schemas the locations that others refer to */
  constructor(brand: string, to: 'own' | 'branded', schemas: Readonly<Record<string, BrandedLocation>> = brandedSchemas) {
    this.#brand = brand
    this.#to = to
    this.#schemas = schemas
  }

  translate<T>(location: BrandedLocation | undefined, value: T): T {
    return location === undefined ? value : (this.#translated(location, value) as T) // only strings are replaced, by strings
  }

  #translated(location: BrandedLocation, value: unknown): unknown {
    if (!this.#applies(location, value)) return value
    const { schema, parts = [], values, items } = location
    let result = schema === undefined ? value : this.translate(this.#schemas[schema], value)
    for (const part of parts) result = this.#translated(part, result)
    if (typeof result === 'string') return values === undefined ? result : (this.#replacements(values).get(result) ?? result)
    if (Array.isArray(result)) return items === undefined ? result : this.#withMembers(result, Object.keys(result), () => items)
    return isObject(result) ? this.#object(location, result) : result
  }

  #object({ members = {}, others }: BrandedLocation, object: Record<string, unknown>): object {
    const keys = others === undefined ? Object.keys(members).filter((key) => Object.hasOwn(object, key)) : Object.keys(object)
    return this.#withMembers(object, keys, (key) => (Object.hasOwn(members, key) ? members[key] : others))
  }

  #withMembers(container: object, keys: readonly string[], locationOf: (key: string) => BrandedLocation | undefined): object {
    let result = container as Record<string, unknown>
    for (const key of keys) {
      const value = result[key]
      const changed = this.translate(locationOf(key), value)
      if (changed === value) continue
      if (result === container && this.#to === 'branded')
        result = (Array.isArray(container) ? [...container] : { ...container }) as Record<string, unknown>
      result[key] = changed
    }
    return result
  }

  /** Whether each of the members of `when` that the object has is one of the values, in either form. */
  #applies({ when }: BrandedLocation, value: unknown): boolean {
    if (when === undefined || !isObject(value)) return true
    return Object.entries(when).every(
      ([key, values]) => !Object.hasOwn(value, key) || this.#tagsOf(values).has(String(value[key])),
    )
  }

  #tagsOf(values: readonly string[]): ReadonlySet<string> {
    const known = this.#tags.get(values) ?? new Set(values.map((value) => brandedForm(value, this.#brand)))
    this.#tags.set(values, known)
    return known
  }

  #replacements(values: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
    const pairs = Object.entries(values).map(([own, form]) => [own, brandedForm(form, this.#brand)] as const)
    const known =
      this.#values.get(values) ?? new Map(pairs.map(([own, branded]) => (this.#to === 'own' ? [branded, own] : [own, branded])))
    this.#values.set(values, known)
    return known
  }
}
