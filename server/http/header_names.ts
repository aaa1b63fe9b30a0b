import type { Request, Response } from 'express'

/**
 * Names of the protocol's own headers, such as `Service-Version`. A deployment may configure a second prefix beside `Service`. Headers are
 * then accepted with either prefix, and responses have both.
 */
export class HeaderNames {
  readonly #brands: readonly string[]
  readonly #incoming: Readonly<Record<'Version' | 'Beta', readonly string[]>>
  readonly #outgoing: Readonly<Record<'Version' | 'Beta', readonly string[]>>
  readonly requestIdNames: readonly string[]

  /** @param brand the second prefix, or `Service` for none @param isAlone whether `brand` replaces `Service` */
  constructor(brand: string, isAlone = false) {
    this.#brands = isAlone ? [brand] : [...new Set(['Service', brand])]
    const names = (name: string): string[] => this.#brands.map((prefix) => `${prefix}-${name}`)
    this.#outgoing = { Version: names('Version'), Beta: names('Beta') }
    const spellings = (name: string): string[] => names(name).map((one) => one.toLowerCase())
    this.#incoming = { Version: spellings('Version'), Beta: spellings('Beta') }
    this.requestIdNames = this.#brands.map((prefix) => `X-${prefix}-Request-Id`)
  }

  /** The value of `Service-<name>` and its alias. Values of repeated headers are joined by `, `. */
  read(request: Request, name: 'Version' | 'Beta'): string | undefined {
    const { headers } = request
    let all: string | undefined
    for (const spelling of this.#incoming[name]) {
      // Node has already joined repeated headers.
      const value = headers[spelling]
      if (typeof value === 'string') all = all === undefined ? value : `${all}, ${value}`
    }
    return all
  }

  set(response: Response, name: 'Version' | 'Beta', value: string): void {
    for (const spelling of this.#outgoing[name]) response.setHeader(spelling, value)
  }

  /** The name of a header in messages, with the deployment's own prefix. */
  nameOf(name: 'Version' | 'Beta'): string {
    return `${this.#brands.at(-1)}-${name}`
  }

  /** The prefixes in use. */
  get brands(): readonly string[] {
    return this.#brands
  }

  setRequestId(response: Response, requestId: string): void {
    for (const name of this.requestIdNames) response.setHeader(name, requestId)
  }
}
