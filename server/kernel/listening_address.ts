/** Addresses that stand for every address of a machine, to which clients cannot connect, and the loopback addresses to use instead. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Whether a server that listens on this host accepts connections at every address of the machine. */
export function isEveryAddress(host: string): boolean {
  return LOOPBACK_OF.has(host)
}

/** The host and port, as in a URL, at which this machine can reach a server that listens on `host`. */
export function authorityOf(host: string, port: number): string {
  const address = LOOPBACK_OF.get(host) ?? host
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}
