import cors, { type CorsOptions } from 'cors'
import type { Request, RequestHandler, Response } from 'express'
import { operations, type Operation } from '../../generated/operations.ts'
import { parseUrl } from './parse_url.ts'

const METHODS = 'GET, POST, PATCH, DELETE'
const MAX_AGE_SECONDS = 600

/** The paths of the OAuth endpoints and of the consent page, which scripts of other sites may never call. */
const closedPaths: ReadonlySet<string> = new Set(
  Object.values<Operation>(operations)
    .filter(({ credentials }) => credentials === 'client' || credentials === 'none')
    .map(({ path }) => path),
)

/** Lets the pages of the configured origins call the API. Other origins get no CORS headers. */
export class Cors {
  readonly #origins: ReadonlySet<string>
  readonly #respondToPreflight: RequestHandler
  readonly #expose: RequestHandler

  /**
   * @param brands prefixes of the protocol's own headers, such as `Service` in `Service-Version`
   * @param takesPrefer whether a `Prefer` header has an effect
   */
  constructor(origins: readonly string[], brands: readonly string[], takesPrefer = false) {
    this.#origins = new Set(origins)
    const named = (form: (brand: string) => string): string[] => brands.map(form)
    const versionAndBeta = [...named((brand) => `${brand}-Version`), ...named((brand) => `${brand}-Beta`)]
    // `cors` is called only for origins that have already been checked.
    const options: CorsOptions = { origin: true, preflightContinue: true, methods: METHODS, maxAge: MAX_AGE_SECONDS }
    const allowedHeaders = [
      'Authorization',
      'Content-Type',
      ...versionAndBeta,
      'Idempotency-Key',
      ...(takesPrefer ? ['Prefer'] : []),
    ]
    this.#respondToPreflight = cors({ ...options, allowedHeaders: allowedHeaders.join(', ') })
    const exposedHeaders = [
      ...named((brand) => `X-${brand}-Request-Id`),
      ...versionAndBeta,
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotency-Replayed',
    ]
    this.#expose = cors({ ...options, exposedHeaders: exposedHeaders.join(', ') })
  }

  /** Responds to an OPTIONS request for any path. */
  preflight(request: Request, response: Response): void {
    if (this.#allows(request)) this.#respondToPreflight(request, response, noNext)
    response.statusCode = 204
    response.end()
  }

  /** Sets the headers that let the page that sent a request read the response. */
  expose(request: Request, response: Response): void {
    if (this.#allows(request)) this.#expose(request, response, noNext)
  }

  #allows({ headers: { origin }, originalUrl }: Request): boolean {
    if (origin === undefined || this.#origins.size === 0 || !(this.#origins.has(origin) || this.#origins.has('*'))) return false
    const path = pathOf(originalUrl)
    return path === undefined || !closedPaths.has(path)
  }
}

/** Passed to `cors`, which calls it after setting its headers. */
function noNext(): void {
  return undefined
}

/** The path of a request target, normalized as for routing; undefined for an invalid target. */
function pathOf(target: string): string | undefined {
  try {
    return `/${parseUrl(target).segments.join('/')}`
  } catch {
    return undefined
  }
}
