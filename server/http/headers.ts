import type { Request, Response } from 'express'

/**
 * The protocol's own headers carry the word `Service`. A deployment may have a second word: then both spellings are read, and
 * answers carry both.
 */
export class HeaderNames {
  readonly #brands: readonly string[]
  readonly #incoming: Readonly<Record<'Version' | 'Beta', readonly string[]>>

  /** @param brand the second word, or `Service` for none. @param isAlone whether it takes the place of `Service` instead */
  constructor(brand: string, isAlone = false) {
    this.#brands = isAlone ? [brand] : [...new Set(['Service', brand])]
    const spellings = (name: string): string[] => this.#brands.map((word) => `${word}-${name}`.toLowerCase())
    this.#incoming = { Version: spellings('Version'), Beta: spellings('Beta') }
  }

  /** Everything that was sent under `Service-<name>` or its alias, joined as HTTP (and Node) joins repeated headers. */
  read(request: Request, name: 'Version' | 'Beta'): string | undefined {
    const { headers } = request
    let all: string | undefined
    for (const spelling of this.#incoming[name]) {
      // Node has joined what came several times.
      const value = headers[spelling]
      if (typeof value === 'string') all = all === undefined ? value : `${all}, ${value}`
    }
    return all
  }

  set(response: Response, name: 'Version' | 'Beta', value: string): void {
    for (const brand of this.#brands) response.setHeader(`${brand}-${name}`, value)
  }

  /** What a message calls a header: by the word of the deployment. */
  nameOf(name: 'Version' | 'Beta'): string {
    return `${this.#brands.at(-1)}-${name}`
  }

  /** The words in use. */
  get brands(): readonly string[] {
    return this.#brands
  }

  get requestIdNames(): readonly string[] {
    return this.#brands.map((brand) => `X-${brand}-Request-Id`)
  }

  setRequestId(response: Response, requestId: string): void {
    for (const brand of this.#brands) response.setHeader(`X-${brand}-Request-Id`, requestId)
  }
}
