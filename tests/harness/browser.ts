import { createSignInLink } from '../../server/domain/administration/people.ts'
import type { TestResponse, RawResponse } from './responses.ts'
import type { Caller } from './caller.ts'
import type { TestServer } from './server.ts'

export type Fields = readonly (readonly [name: string, value: string])[] | Readonly<Record<string, string>>

/** As Chromium sends it when someone opens an address. */
const ACCEPTED = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

/** A browser without scripts, which keeps cookies and submits forms. Pages of the contract are checked against it. */
export class Browser {
  readonly #caller: Caller
  readonly #cookies = new Map<string, string>()
  readonly #address: Readonly<Record<string, string>>
  readonly #issuer: string

  /** @param address sent as `X-Forwarded-For`, for a server that trusts one proxy */
  constructor(server: TestServer, address?: string) {
    this.#caller = server.caller(undefined, undefined)
    this.#issuer = server.url
    this.#address = address === undefined ? {} : { 'X-Forwarded-For': address }
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies
  }

  /** @param address a path, or an address of the service */
  async open(address: string): Promise<TestResponse | RawResponse> {
    const target = pathOf(address)
    return this.#keep(
      target.startsWith('/v1/')
        ? await this.#caller.send('GET', target, { headers: this.#headers() })
        : await this.#caller.page(target, 'GET', this.#headers()),
    )
  }

  /** Sends a form. */
  async submit(
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse | RawResponse> {
    const body = formText(fields)
    const all = { ...this.#headers(), 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
    return this.#keep(
      path.startsWith('/v1/')
        ? await this.#caller.send('POST', path, { headers: all, body })
        : await this.#caller.page(path, 'POST', all, body),
    )
  }

  /** Adds cookies, for example those of another browser. */
  take(cookies: ReadonlyMap<string, string>): void {
    for (const [name, value] of cookies) this.#cookies.set(name, value)
  }

  /** Signs in by a one-time link. */
  async signIn(server: TestServer, email: string): Promise<void> {
    const link = await server.service.database.write((db) => createSignInLink(db, email, server.clock.now()))
    const page = await this.open(link.path)
    const response = await this.submit('/sign-in/link', hiddenFields(page.text))
    if (response.status !== 303) throw new Error(`not signed in: ${response.text}`)
  }

  /** Signs out, if signed in, and keeps all other cookies. */
  async signOut(): Promise<void> {
    if (this.#cookies.has('session')) await this.submit('/sign-out', hiddenFields((await this.open('/sign-in')).text))
  }

  #headers(): Record<string, string> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { Accept: ACCEPTED, ...this.#address, ...(cookies === '' ? {} : { Cookie: cookies }) }
  }

  /** Requires that every outcome of an authorization has exactly one `iss` parameter. */
  #requireIssuer(location: string | undefined): void {
    if (location === undefined || !URL.canParse(location)) return
    const { searchParams } = new URL(location)
    const isOutcome = searchParams.has('code') || searchParams.has('error')
    if (isOutcome && searchParams.getAll('iss').join() !== this.#issuer) throw new Error(`not from ${this.#issuer}: ${location}`)
  }

  #keep<T extends RawResponse>(response: T): T {
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    this.#requireIssuer(response.headers.location)
    return response
  }
}

export function formText(fields: Fields): string {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
  return pairs
    .map(([name, value]: readonly [string, string]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

function pathOf(address: string): string {
  return address.startsWith('/') ? address : address.replace(/^https?:\/\/[^/]+/, '').replace(/#.*$/, '')
}

const INPUT = /<input\b[^>]*>/g

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** The hidden fields of the first form of a page. */
export function hiddenFields(page: string): Record<string, string> {
  const form = /<form\b[\s\S]*?<\/form>/.exec(page)?.[0] ?? ''
  const hidden = (form.match(INPUT) ?? []).filter((tag) => attribute(tag, 'type') === 'hidden')
  return Object.fromEntries(hidden.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']))
}

export interface Pickable {
  readonly id: string
  readonly title: string
  readonly isPicked: boolean
}

/** The items that a consent page offers to share. */
export function pickables(page: string): Pickable[] {
  return [...page.matchAll(/(<input type="checkbox"[^>]*>)[\s\S]*?<span class="title">([^<]*)<\/span>/g)].map(
    ([, tag = '', title = '']) => ({
      id: attribute(tag, 'value') ?? '',
      title,
      isPicked: tag.includes(' checked'),
    }),
  )
}
