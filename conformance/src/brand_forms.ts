import type { IncomingHttpHeaders } from 'node:http'
import { BrandedValues } from '@workspace-service/server/contract/branded_values.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RecordedExchange } from './exchange.ts'
import type { ReadBody } from './read_body.ts'

/** Translates data of a brand's deployment into the forms of the contract: names of headers, and values such as `acme_ai`. */
export class BrandForms {
  readonly #values: BrandedValues
  readonly #brand: string

  private constructor(values: BrandedValues, brand: string) {
    this.#values = values
    this.#brand = brand.toLowerCase()
  }

  /** @returns undefined without a brand */
  static of(brand: string | undefined): BrandForms | undefined {
    const values = BrandedValues.of(brand)
    return values === undefined || brand === undefined ? undefined : new BrandForms(values, brand)
  }

  exchange(exchange: RecordedExchange): RecordedExchange {
    const [requestHeaders, responseHeaders] = [this.#own(exchange.requestHeaders), this.#own(exchange.responseHeaders)]
    return { ...exchange, requestHeaders, responseHeaders }
  }

  /** Headers of a request under the names that the deployment reads. */
  sent(headers: Readonly<Record<string, string>>): Record<string, string> {
    return renamed(headers, 'service', this.#brand)
  }

  request(operationId: string, body: ReadBody | undefined): ReadBody | undefined {
    if (!isObject(body?.value)) return body
    return { ...body, value: this.#values.ownRequest(operationId, { path: {}, query: {}, body: body.value }).body }
  }

  response(operationId: string, body: ReadBody | undefined): ReadBody | undefined {
    return isObject(body?.value) ? { ...body, value: this.#values.ownResponse(operationId, body.value) } : body
  }

  #own(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    return renamed(headers, this.#brand, 'service')
  }
}

/** Headers whose names begin with one word, or with `x-` and that word, renamed to begin with another. */
function renamed<T>(headers: Readonly<Record<string, T>>, from: string, to: string): Record<string, T> {
  const renamedName = (name: string): string => {
    const start = name.startsWith('x-') ? 'x-' : ''
    return name.startsWith(`${start}${from}-`) ? `${start}${to}${name.slice(start.length + from.length)}` : name
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [renamedName(name), value]))
}
