import { compile, default as addressBehind } from 'proxy-addr'
import type { TrustedProxies } from '../config/parsers.ts'
import type { Request } from 'express'

/** Whether the address of the nth hop, counted from the service, belongs to a trusted proxy. */
type TrustRule = (address: string, hop: number) => boolean

/**
 * The client of a request: whoever is at the other end of the connection or, behind trusted proxies, of the outermost proxy's connection.
 */
export class RemoteClient {
  readonly #request: Request
  readonly #trusts: TrustRule

  constructor(request: Request, trusts: TrustRule) {
    this.#request = request
    this.#trusts = trusts
  }

  /** The IP address of the client; empty once the connection is closed. */
  get address(): string {
    return this.#request.socket.remoteAddress === undefined ? '' : addressBehind(this.#request, this.#trusts)
  }

  /** Whether the client used HTTPS. */
  get isSecure(): boolean {
    const { socket, headers } = this.#request
    const forwarded = this.#trusts(socket.remoteAddress ?? '', 0) ? headers['x-forwarded-proto'] : undefined
    if (typeof forwarded === 'string') return forwarded.split(',', 1)[0]?.trim() === 'https'
    return 'encrypted' in socket && socket.encrypted === true
  }
}

/** The rule for trusting proxies. @param proxies their addresses, their number, or `false` for none */
export function trustRuleOf(proxies: TrustedProxies): TrustRule {
  if (proxies === false) return () => false
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  return compile([...proxies])
}
