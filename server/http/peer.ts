import { compile, default as addressBehind } from 'proxy-addr'
import type { TrustedProxies } from '../config/parsers.ts'
import type { Request } from 'express'

/** Whether the address of the nth hop, counted from here, is that of a proxy whose word counts. */
type Trusts = (address: string, hop: number) => boolean

/** Who is at the other end of a request: of its connection, or of that to the outermost proxy that is trusted. */
export class Peer {
  readonly #request: Request
  readonly #trusts: Trusts

  constructor(request: Request, trusts: Trusts) {
    this.#request = request
    this.#trusts = trusts
  }

  /** The address of the caller; empty once the connection is gone. */
  get address(): string {
    return this.#request.socket.remoteAddress === undefined ? '' : addressBehind(this.#request, this.#trusts)
  }

  /** Whether the caller came by HTTPS. */
  get isSecure(): boolean {
    const { socket, headers } = this.#request
    const told = this.#trusts(socket.remoteAddress ?? '', 0) ? headers['x-forwarded-proto'] : undefined
    if (typeof told === 'string') return told.split(',', 1)[0]?.trim() === 'https'
    return 'encrypted' in socket && socket.encrypted === true
  }
}

/** The rule of a deployment: the addresses of its proxies, how many of them stand in a row, or none. */
export function trustOf(proxies: TrustedProxies): Trusts {
  if (proxies === false) return () => false
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies
  return compile([...proxies])
}
