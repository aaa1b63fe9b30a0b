import { operations, type Operation } from '../../generated/operations.ts'
import { targetOf, type Request, type Response } from './incoming.ts'
import { parseUrl } from './url.ts'

const METHODS = 'GET, POST, PATCH, DELETE'
const MAX_AGE_SECONDS = 600

/** The OAuth endpoints and the consent page: no other site's script has any business there. */
const closedPaths: ReadonlySet<string> = new Set(
  Object.values<Operation>(operations)
    .filter(({ credentials }) => credentials === 'client' || credentials === 'none')
    .map(({ path }) => path),
)

/** Which other sites' pages may call the API, by the rules of the contract. */
export class Cors {
  readonly #origins: ReadonlySet<string>
  readonly #allowHeaders: string
  readonly #exposeHeaders: string

  /** @param brands the words that the protocol's own headers may carry */
  constructor(origins: readonly string[], brands: readonly string[]) {
    this.#origins = new Set(origins)
    const named = (form: (brand: string) => string): string[] => brands.map(form)
    this.#allowHeaders = [
      'Authorization',
      'Content-Type',
      ...named((brand) => `${brand}-Version`),
      ...named((brand) => `${brand}-Beta`),
      'Idempotency-Key',
    ].join(', ')
    this.#exposeHeaders = [
      ...named((brand) => `X-${brand}-Request-Id`),
      ...named((brand) => `${brand}-Version`),
      ...named((brand) => `${brand}-Beta`),
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotency-Replayed',
    ].join(', ')
  }

  /** Answers OPTIONS, whatever its path. */
  preflight(request: Request, response: Response): void {
    if (this.#allow(request, response)) {
      response.setHeader('Access-Control-Allow-Methods', METHODS)
      response.setHeader('Access-Control-Allow-Headers', this.#allowHeaders)
      response.setHeader('Access-Control-Max-Age', String(MAX_AGE_SECONDS))
    }
    response.statusCode = 204
    response.end()
  }

  /** Lets the page that sent a request read its answer. */
  expose(request: Request, response: Response): void {
    if (this.#allow(request, response)) response.setHeader('Access-Control-Expose-Headers', this.#exposeHeaders)
  }

  #allow(request: Request, response: Response): boolean {
    const { origin } = request.headers
    if (origin === undefined || this.#origins.size === 0 || !(this.#origins.has(origin) || this.#origins.has('*'))) return false
    const path = pathOf(targetOf(request))
    if (path !== undefined && closedPaths.has(path)) return false
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Vary', 'Origin')
    return true
  }
}

/** The path as routes are found by it; none for a URL that leads nowhere. */
function pathOf(target: string): string | undefined {
  try {
    return `/${parseUrl(target).segments.join('/')}`
  } catch {
    return undefined
  }
}
