import createClient, { type Middleware } from 'openapi-fetch'
import type { ConsoleSession, paths } from '../../generated/console_types.ts'

/** The path of the service's address, before `/console`. */
export const base = document.documentElement.dataset['base'] ?? ''

/** Why a request failed, in words for the person. */
export class ConsoleError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ConsoleError'
    this.status = status
  }
}

let csrfToken = ''

const credentials: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('X-CSRF-Token', csrfToken)
    return request
  },
  onResponse({ response }) {
    if (response.status === 401) leaveForSignIn()
    return undefined
  },
}

/** The API of the console, typed by its contract. */
export const api = createClient<paths>({ baseUrl: `${base}/console/api` })
api.use(credentials)

/** The data of a response. @throws ConsoleError */
export async function consoleData<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw new ConsoleError(0, 'The service cannot be reached. Check your connection, then try again.')
  })
  if (data !== undefined) return data
  throw new ConsoleError(response.status, messageOf(error) ?? `The service responded with status ${response.status}.`)
}

function messageOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined
}

/** The signed-in person. Later changes are sent in that person's name. */
export async function loadSession(): Promise<ConsoleSession> {
  const session = await consoleData(api.GET('/session'))
  csrfToken = session.csrf_token
  return session
}

/** Opens the sign-in page, which leads back here. */
export function leaveForSignIn(): void {
  const here = location.pathname.slice(base.length)
  location.assign(`${base}/sign-in?${new URLSearchParams({ return_to: here })}`)
}
